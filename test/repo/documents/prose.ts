/** Rules of prose: what can be counted in a page, so that no reviewer has to. */

const rules = {
  sentence: 'the longest sentence, in words',
  table: 'the widest table, in columns',
  line: 'the longest line of prose, in characters',
  wording: 'words that English writes otherwise',
} as const;

type Rule = keyof typeof rules;
const isRule = (name: string): name is Rule => Object.hasOwn(rules, name);

export interface Finding {
  /** From 1. */
  readonly line: number;
  readonly rule: Rule | 'exception';
  readonly message: string;
}

export const sentenceWordsMax = 25;
const tableColumnsMax = 5;
export const lineCharactersMax = 120;

/** A word as it was found, and as it is written. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/\bcan not\b/i, 'cannot'],
  [/\bin place of\b/i, 'instead of'],
  [/\bhow (?:it|this|that|they) looks? like\b/i, 'what it looks like'],
  [/\bsince (?:\d+|some|many|a few) (?:seconds|minutes|hours|days|blocks|heights)\b/i, 'for'],
  [/\b(?:informations|softwares|advices|feedbacks)\b/i, 'the singular'],
  [/\ballows to\b/i, 'lets somebody do it'],
];

/** Lines that belong together: a paragraph, an item of a list, a table, a heading. */
interface Block {
  readonly line: number;
  readonly lines: readonly string[];
  readonly kind: 'prose' | 'table';
}

interface Exception {
  readonly line: number;
  readonly rule: string;
  readonly reason: string;
}

const fence = /^\s*(`{3,}|~{3,})/;
/** `<!-- prose: RULE: why -->` stands before the block that it is about. */
const exceptionForm = /^\s*<!-- prose: ([\w-]+)(?:: (.*?))? -->\s*$/;
const reasonCharactersMin = 12;

/**
 * @returns what is wrong in a page of Markdown, in the order of its lines
 */
export function findingsOf(markdown: string): Finding[] {
  const { blocks, exceptions } = blocksOf(markdown);
  const used = new Set<Exception>();
  const left = blocks.flatMap((block) => {
    const mine = exceptions.filter((exception) => nextBlock(blocks, exception.line) === block);
    return findingsOfBlock(block).filter(({ rule }) => {
      const exception = mine.find((one) => one.rule === rule);
      if (exception !== undefined) used.add(exception);
      return exception === undefined;
    });
  });
  const idle = exceptions.flatMap((exception): Finding[] => {
    const message = refusalOf(exception, used.has(exception));
    return message === null ? [] : [{ line: exception.line, rule: 'exception', message }];
  });
  return [...left, ...idle].toSorted((a, b) => a.line - b.line);
}

function refusalOf({ rule, reason }: Exception, isUsed: boolean): string | null {
  if (!isRule(rule)) return `"${rule}" is no rule: ${Object.keys(rules).join(', ')}`;
  if (reason.length < reasonCharactersMin) return 'says no reason: <!-- prose: RULE: why -->';
  return isUsed ? null : `nothing behind it breaks the rule "${rule}"`;
}

const nextBlock = (blocks: readonly Block[], line: number): Block | undefined =>
  blocks.find((block) => block.line > line);

function blocksOf(markdown: string): { blocks: Block[]; exceptions: Exception[] } {
  const blocks: Block[] = [];
  const exceptions: Exception[] = [];
  let open: { line: number; lines: string[]; kind: Block['kind'] } | undefined;
  let closes: string | undefined;
  let inComment = false;
  const close = (): void => {
    if (open !== undefined) blocks.push(open);
    open = undefined;
  };
  for (const [index, line] of markdown.split('\n').entries()) {
    const marks = fence.exec(line)?.[1];
    if (closes !== undefined) {
      if (marks !== undefined && marks.startsWith(closes)) closes = undefined;
      continue;
    }
    if (marks !== undefined) {
      close();
      closes = marks;
      continue;
    }
    if (inComment || /^\s*<!--/.test(line)) {
      close();
      const [, rule, reason = ''] = exceptionForm.exec(line) ?? [];
      if (rule !== undefined) exceptions.push({ line: index + 1, rule, reason });
      inComment = !line.includes('-->');
      continue;
    }
    const kind = /^\s*\|/.test(line) ? 'table' : 'prose';
    if (line.trim() === '' || open?.kind !== kind || /^\s*(?:[-*+]|\d+\.) |^#/.test(line)) close();
    if (line.trim() === '') continue;
    if (open === undefined) open = { line: index + 1, lines: [line], kind };
    else open.lines.push(line);
    if (line.startsWith('#')) close();
  }
  close();
  return { blocks, exceptions };
}

const findingsOfBlock = (block: Block): Finding[] => [
  ...(block.kind === 'table' ? tableFindings(block) : lineFindings(block)),
  ...wordFindings(block),
];

/** A cell is a list more often than a sentence: semicolons part its entries. */
function tableFindings({ line, lines }: Block): Finding[] {
  const columns = cellsOf(lines[0]!).length;
  const wide: Finding[] =
    columns > tableColumnsMax
      ? [{ line, rule: 'table', message: `has ${columns} columns, and ${tableColumnsMax} are allowed` }]
      : [];
  const long = lines.flatMap((row, at) =>
    cellsOf(row)
      .flatMap((cell) => cell.split(';'))
      .flatMap((entry) => longSentences([entry], line + at)),
  );
  return [...wide, ...long];
}

const lineFindings = ({ line, lines }: Block): Finding[] => [
  ...longSentences(lines, line),
  ...lines.flatMap((text, at): Finding[] =>
    isTooLong(text)
      ? [
          {
            line: line + at,
            rule: 'line',
            message: `has ${text.length} characters, and ${lineCharactersMax} are allowed`,
          },
        ]
      : [],
  ),
];

/** A line that nobody can break, as a picture or a heading is, may be long. */
const isTooLong = (text: string): boolean =>
  text.length > lineCharactersMax &&
  !text.startsWith('#') &&
  /\S\s+\S/.test(withoutSpans(text.replace(/^\s*(?:[-*+]|\d+\.) /, '')));

const withoutSpans = (text: string): string =>
  text.replace(/!?\[[^\]]*\]\([^)]*\)/g, 'link').replace(/`[^`]*`/g, 'code');

const wordFindings = ({ line, lines }: Block): Finding[] =>
  lines.flatMap((text, at) =>
    wordings.flatMap(([wrong, right]): Finding[] => {
      const found = wrong.exec(text.replace(/`[^`]*`/g, 'code'));
      return found === null ? [] : [{ line: line + at, rule: 'wording', message: `"${found[0]}": ${right}` }];
    }),
  );

function cellsOf(row: string): string[] {
  const inside = row.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inside.replace(/`[^`]*`/g, (code) => code.replaceAll('|', ' ')).split(/(?<!\\)\|/);
}

/** Ends a sentence, with what closes behind it; what follows begins with a capital, a figure, code or a link. */
const sentenceEnd = /(?<=[.!?][)"'”*_]*)\s+(?=[\p{Lu}\d`[(*_"“<-])/u;
const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|ca|No)\.)$/;

/** A sentence is found at the line in which it begins. */
function longSentences(lines: readonly string[], first: number): Finding[] {
  const text = lines.map((line) => line.trim()).join('\n');
  const findings: Finding[] = [];
  let start = 0;
  for (const sentence of sentencesOf(text)) {
    const at = text.indexOf(sentence, start);
    start = at + sentence.length;
    const words = wordsOf(sentence);
    if (words.length <= sentenceWordsMax) continue;
    findings.push({
      line: first + text.slice(0, at).split('\n').length - 1,
      rule: 'sentence',
      message: `"${words.slice(0, 5).join(' ')} …" has ${words.length} words, and ${sentenceWordsMax} are allowed`,
    });
  }
  return findings;
}

function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let begun = '';
  let end = 0;
  for (const match of text.matchAll(new RegExp(sentenceEnd, 'gu'))) {
    begun += text.slice(end, match.index);
    if (abbreviation.test(begun)) {
      begun += match[0];
    } else {
      found.push(begun);
      begun = '';
    }
    end = match.index + match[0].length;
  }
  return [...found, begun + text.slice(end)];
}

/** Code counts as one word however long it is, and figures count as none: a row of measurements is no long thought. */
const wordsOf = (sentence: string): string[] =>
  sentence
    .replace(/`[^`]*`/g, 'code')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, 'picture')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));
