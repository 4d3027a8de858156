/** Of commands that tell programs, too, what they found. */
export interface JsonFlags {
  readonly json?: boolean;
}

/** Prints what a command found: JSON with `--json`, else lines for people. */
export function print({ json = false }: JsonFlags, value: unknown, lines: () => readonly string[]): void {
  if (json) return console.log(JSON.stringify(value, null, 2));
  for (const line of lines()) console.log(line);
}

/** "1 order", "2 orders". */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
