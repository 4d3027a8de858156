import { readText } from '../../repo/repository.ts';

/** A piece of code in a page, as it stands between its fences. */
export interface Fence {
  readonly page: string;
  /** Of its first line of code, from 1. */
  readonly line: number;
  /** The word behind the opening fence; empty where there is none. */
  readonly language: string;
  readonly lines: readonly string[];
}

/** What is typed into a shell, and what the page shows of the answer. */
export interface Commands extends Fence {
  /** Lines of the block without a language that follows at once; null where there is none. */
  readonly picture: readonly string[] | null;
}

/** All fenced code of a page, in its order. Those in a list are indented, and come without that. */
export function fencesOf(page: string): Fence[] {
  const fences: Fence[] = [];
  let open: { readonly indent: string; readonly fence: Fence & { readonly lines: string[] } } | null = null;
  for (const [index, text] of readText(page).split('\n').entries()) {
    const mark = /^( *)```(\w*)$/.exec(text);
    if (open !== null && mark !== null) {
      fences.push(open.fence);
      open = null;
    } else if (open !== null)
      open.fence.lines.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text);
    else if (mark !== null)
      open = { indent: mark[1]!, fence: { page, line: index + 2, language: mark[2]!, lines: [] } };
  }
  if (open !== null) throw new Error(`${page}:${open.fence.line}: nothing ends this code`);
  return fences;
}

/** What a page says to type, in its order. */
export function commandsOf(page: string): Commands[] {
  const fences = fencesOf(page);
  return fences.flatMap((fence, index) => {
    if (fence.language !== 'sh') return [];
    const next = fences[index + 1];
    const gap = 3;
    const isNext = next?.language === '' && next.line <= fence.line + fence.lines.length + gap;
    return [{ ...fence, picture: isNext ? next.lines : null }];
  });
}

/** A line with everything in it that is another one each time. */
const shape = (line: string): string =>
  line
    .replace(/0x(?:[0-9a-f]+|…)/g, '0x#')
    .replace(/[\d,]*\d(?:\.\d+)?/g, '#')
    .replace(/ +/g, ' ')
    .trim();

/** Lines of a picture that are nowhere in what was printed, wherever that was wrapped. `…` stands for lines that are left out. */
export function missingLines(picture: readonly string[], printed: string): string[] {
  const real = shape(printed.replaceAll('\n', ' '));
  return picture.filter((line) => line.trim() !== '…' && !real.includes(shape(line)));
}
