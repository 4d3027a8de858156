/** Pages that people read first: short sentences, tables and lines that fit a screen, and English words. */
import { describe, expect, it } from '@jest/globals';
import { findingsOf, lineCharactersMax, sentenceWordsMax } from './prose.ts';
import { filesBelow, readText, workspaces } from '../repository.ts';

/** Folders whose pages are read, without what lies below them. Records of decisions keep the words of their day. */
const folders = [
  '',
  'deploy/',
  'docs/',
  'docs/chaos/',
  'docs/contributing/',
  'docs/operate/',
  'docs/performance/',
  'docs/protocol/',
  ...workspaces.map(({ folder }) => `${folder}/`),
];
const pages = filesBelow('.').filter(
  (path) => path.endsWith('.md') && folders.includes(path.slice(0, path.lastIndexOf('/') + 1)),
);

describe('prose', () => {
  it('is looked at in the pages that people read first', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'ARCHITECTURE.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'README.md',
        'SECURITY.md',
        'docs/chaos/four-validators.md',
        'apps/node/README.md',
        'packages/codec/README.md',
        'packages/load/README.md',
        'docs/benchmarks.md',
        'docs/contributing/first-day.md',
        'docs/operate/keys.md',
        'docs/performance/write-path.md',
      ]),
    );
  });

  it('keeps to its rules, or says why not', () => {
    const found = pages.flatMap((path) =>
      findingsOf(readText(path)).map(({ line, rule, message }) => `${path}:${line} ${rule}: ${message}`),
    );
    expect(found).toEqual([]);
  });
});

const words = (count: number): string => `W${Array.from({ length: count }, (_, at) => at).join(' w')}.`;
const long = words(sentenceWordsMax + 1);
const fitting = words(sentenceWordsMax);
const row = (columns: number): string => `|${' x |'.repeat(columns)}`;
const foundIn = (markdown: string): string[] => findingsOf(markdown).map(({ line, rule }) => `${line} ${rule}`);

describe('findings in prose', () => {
  it.each([
    ['a sentence as long as allowed', fitting, []],
    ['one word more', long, ['1 sentence']],
    ['the line in which it begins', `# T\n\nShort.\n${long}`, ['4 sentence']],
    ['a sentence over lines', `Short. ${long.replace(' w9 ', '\nw9 ')}`, ['1 sentence']],
    ['each item for itself', `- ${fitting}\n- ${fitting}\n1. ${fitting}`, []],
    ['code is one word, however long', `Run \`${long}\` first.`, []],
    ['figures are none', `${'12, '.repeat(sentenceWordsMax + 1)}ms.`, []],
    ['a link, which nobody can break', `- [a b](${'x/'.repeat(60)})`, []],
    ['entries of a cell', `${row(2)}\n|---|---|\n| ${fitting}; ${fitting} | ${long} |`, ['3 sentence']],
    ['an abbreviation ends nothing', `${fitting.slice(0, -1)} e.g. This.`, ['1 sentence']],
    ['what is in a fence', `\`\`\`sh\n${long} in place of can not\n\`\`\``, []],
    ['what is in a comment', `<!--\n${long}\n-->\nShort.`, []],
    ['five columns', `${row(5)}\n|---|---|---|---|---|`, []],
    ['six columns', `${row(6)}\n|---|---|---|---|---|---|`, ['1 table']],
    ['a stroke in code or escaped', `| a \`x|y\` \\| z | b | c | d | e |`, []],
    ['a line as long as allowed', 'Ab cd. '.repeat(lineCharactersMax).slice(0, lineCharactersMax), []],
    ['a longer line', 'Ab cd. '.repeat(lineCharactersMax).slice(0, lineCharactersMax + 1), ['1 line']],
    ['a picture, which nobody can break', `![${'alt '.repeat(40)}](x.png)`, []],
    ['can not', 'It can not be.', ['1 wording']],
    ['in place of', 'A in place of\nB, in\nplace.', ['1 wording']],
    ['`can not` in code', 'It says `can not`.', []],
  ])('%s', (_what, markdown, found) => {
    expect(foundIn(markdown)).toEqual(found);
  });

  it('name the place, the rule and the limit', () => {
    expect(findingsOf(`# T\n\n${long}`)).toEqual([
      { line: 3, rule: 'sentence', message: `"W0 w1 w2 w3 w4 …" has 26 words, and 25 are allowed` },
    ]);
  });
});

describe('an exception', () => {
  const exception = (rule: string, why = 'words of a standard'): string => `<!-- prose: ${rule}: ${why} -->`;

  it.each([
    ['overrules its rule in the block behind it', `${exception('sentence')}\n${long}`, []],
    ['and nowhere else', `${exception('sentence')}\n${long}\n\n${long}`, ['4 sentence']],
    ['nor another rule', `${exception('sentence')}\n${long} It can not.`, ['2 wording']],
    ['may stand beside another one', `${exception('sentence')}\n${exception('wording')}\n${long} It can not.`, []],
    ['has to say why', `${exception('sentence', 'so')}\n${long}`, ['1 exception']],
    ['has to name a rule', `${exception('length')}\n${fitting}`, ['1 exception']],
    ['has to be needed', `${exception('sentence')}\n${fitting}`, ['1 exception']],
  ])('%s', (_what, markdown, found) => {
    expect(foundIn(markdown)).toEqual(found);
  });
});
