import type { Explanation } from '@prime/sdk/explain';
import type { NodeFlags } from '../client/connect.ts';
import { print } from '../terminal/output.ts';
import { pairs } from '../terminal/table.ts';

/** An answer: sentences, and the figures that they are made of. */
export interface Answer {
  readonly explanation: Explanation;
  /** What is shown below the sentences. */
  readonly figures: readonly (readonly [name: string, value: string])[];
  /** For programs. */
  readonly facts: unknown;
}

/** Of a text that is read, not of a table. */
const widthMax = 100;

/** A text in lines of words; a word that is longer than a line has one of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Prints an answer: JSON with `--json`, else sentences with figures below. */
export function tell(flags: NodeFlags, { explanation, figures, facts }: Answer): void {
  const width = Math.min(process.stdout.columns ?? widthMax, widthMax);
  print(flags, { ...explanation, facts }, () => [
    explanation.title,
    '',
    ...wrap(explanation.text, width),
    ...(figures.length === 0 ? [] : ['', ...pairs(figures)]),
  ]);
}
