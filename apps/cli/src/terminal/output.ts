import type { NodeFlags } from './connect.ts';

/** Prints what a command found: JSON with `--json`, else lines for people. */
export function print({ json = false }: NodeFlags, value: unknown, lines: () => readonly string[]): void {
  if (json) return console.log(JSON.stringify(value, null, 2));
  for (const line of lines()) console.log(line);
}

/** "1 order", "2 orders". */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
