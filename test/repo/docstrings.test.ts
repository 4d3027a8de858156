/** Exports that a reader of another file meets: each says what it is, so that nobody has to open its body. */
import { describe, expect, it } from '@jest/globals';
import { readText, shippedSources, workspaces } from './repository.ts';

/** What people write and what ships: made code and tools for tests explain themselves elsewhere. */
const isRead = (path: string): boolean => !/\/(?:generated|testing)\//.test(path);

/** A declaration at the start of a line, where the formatter puts every export. `export { x } from` is none. */
const exported =
  /^export (?:default |declare |abstract |async )*(?<kind>function|const|let|class|interface|type|enum)\b\*? ?(?<name>[\w$]+|(?<!type )[{[])/;
/** Stands between a docstring and what it is about: a comment for a tool. */
const between = /^(?:\/\/|@)/;

/** @returns `line name` of each declaration that is exported without a docstring right above it, lines from 1 */
function bareExportsOf(source: string): string[] {
  const lines = source.split('\n');
  const overloaded = new Set<string>();
  return lines.flatMap((line, index) => {
    const { kind, name } = exported.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    // The first signature speaks for all of them.
    if (kind === 'function' && overloaded.has(name)) return [];
    if (kind === 'function') overloaded.add(name);
    return hasDocstring(lines.slice(0, index)) ? [] : [`${index + 1} ${name}`];
  });
}

function hasDocstring(above: readonly string[]): boolean {
  const end = above.findLastIndex((line) => !between.test(line));
  if (above[end]?.endsWith('*/') !== true) return false;
  const start = above.findLastIndex((line, index) => index <= end && /^\s*\/\*/.test(line));
  const text = above.slice(start, end + 1).join('\n');
  // Code with a comment behind it ends in the same way.
  return text.startsWith('/**') && text.indexOf('*/') === text.length - 2 && /\w/.test(text);
}

const readSources = workspaces.flatMap(shippedSources).filter(isRead);

describe('docstrings', () => {
  it('stand above every export of what ships', () => {
    expect(readSources.length).toBeGreaterThan(100);
    const bare = readSources.flatMap((path) => bareExportsOf(readText(path)).map((found) => `${path}:${found}`));
    expect(bare).toEqual([]);
  });
});

describe('an export without docstring', () => {
  it.each([
    ['nothing above', 'export const a = 1;', ['1 a']],
    ['a line between', '/** A. */\n\nexport const a = 1;', ['3 a']],
    ['the docstring of another one', '/** A. */\nconst a = 1;\nexport const b = 2;', ['3 b']],
    ['a comment of another kind', '/* A. */\nexport const a = 1;', ['2 a']],
    ['a line comment', '// A.\nexport const a = 1;', ['2 a']],
    ['an empty docstring', '/** */\nexport const a = 1;', ['2 a']],
    ['a comment behind code', '/** A. */\nconst a = 1; /* B. */\nexport const b = 2;', ['3 b']],
    ['the docstring of a member', 'interface A {\n  /** B. */\n}\nexport type B = A;', ['4 B']],
    ['every kind', 'export type A = 1;\nexport interface B {}\nexport class C {}', ['1 A', '2 B', '3 C']],
    ['words before the kind', 'export abstract class A {}\nexport async function b() {}', ['1 A', '2 b']],
    ['a generator', 'export function* a() {}', ['1 a']],
    ['a pattern', 'export const { a, b } = c;', ['1 {']],
  ])('is found: %s', (_what, source, found) => {
    expect(bareExportsOf(source)).toEqual(found);
  });

  it.each([
    ['a docstring of one line', '/** A. */\nexport const a = 1;'],
    ['a docstring of many lines', '/**\n * A.\n *\n * @returns b\n */\nexport function a() {}'],
    ['a comment for a tool between', '/** A. */\n// oxlint-disable-next-line no-x\nexport const a = 1;'],
    ['a later overload', '/** A. */\nexport function a(): void;\nexport function a(b: 1): void;'],
    ['a re-export', "export { a } from './a.ts';\nexport type { B } from './b.ts';\nexport * from './c.ts';"],
    ['nothing exported', 'const a = 1;'],
  ])('is none: %s', (_what, source) => {
    expect(bareExportsOf(source)).toEqual([]);
  });
});
