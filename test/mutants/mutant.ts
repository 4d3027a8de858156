import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One error of the smallest size, as someone might make by mistake, that some test has to notice. */
export interface Mutant {
  readonly name: string;
  /** Source file, from the root of the repository. */
  readonly file: string;
  /** Stands exactly once in the source file and in what is built of it. */
  readonly text: string;
  readonly planted: string;
  /** Source files of tests that are to notice it; the cheapest that does. */
  readonly tests: readonly string[];
}

/** What is built of a source file. */
export const builtOf = (file: string): string => file.replace('/src/', '/dist/').replace(/\.ts$/, '.js');

/** Finds a text, however its lines are broken and indented and its digits are grouped: the built file has them otherwise than the source. */
function patternOf(text: string): RegExp {
  const words = text.trim().split(/\s+/);
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/(?<=\d)_(?=\d)/g, '_?'));
  return new RegExp(escaped.join('\\s+'), 'g');
}

/**
 * A file's content with a mutant in it.
 *
 * @throws Error when its text is not there exactly once: then nobody knows any more what the mutant says
 */
export function planted(mutant: Mutant, content: string, path = mutant.file): string {
  const { length } = [...content.matchAll(patternOf(mutant.text))];
  if (length !== 1) throw new Error(`"${mutant.name}": its text stands ${length} times in ${path}\n  ${mutant.text}`);
  return content.replace(patternOf(mutant.text), () => mutant.planted);
}

/** What is wrong with a mutant in a repository that is built; null for nothing. */
export function problemOf(root: string, mutant: Mutant): string | null {
  const { file, text, tests, name } = mutant;
  if (text === mutant.planted) return `"${name}" changes nothing`;
  const missing = [...tests, file].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) return `"${name}": ${missing} is not there`;
  if (tests.length === 0) return `"${name}" names no test`;
  for (const path of [file, builtOf(file)]) {
    try {
      planted(mutant, readFileSync(join(root, path), 'utf8'), path);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return null;
}
