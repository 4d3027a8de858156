/** Of commands that tell programs, too, what they found. */
export interface JsonFlags {
  readonly json?: boolean;
}

/** Prints what a command found: JSON with `--json`, else lines for people. */
export function print({ json = false }: JsonFlags, value: unknown, lines: () => readonly string[]): void {
  if (json) return console.log(jsonText(value, 2));
  for (const line of lines()) console.log(line);
}

/** JSON for programs: amounts and heights are decimal text, as everywhere in the command line. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}` : field), indent);

/** "1 order", "2 orders". */
export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
