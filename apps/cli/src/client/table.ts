/** A column: its title, and on which side its values stand. */
export interface Column {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly align: 'left' | 'right';
}

/** A column for words. */
export const left = (title: string): Column => ({ title, align: 'left' });

/** A column for numbers, whose digits are to stand below each other. */
export const right = (title: string): Column => ({ title, align: 'right' });

const gap = '  ';

/** Rows below their titles. @returns lines; none for no rows */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  return lines.map((line) =>
    line
      .map((text, index) =>
        columns[index]!.align === 'left' ? text.padEnd(widths[index]!) : text.padStart(widths[index]!),
      )
      .join(gap)
      .trimEnd(),
  );
}

/** Names and their values, one a line. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}${gap}${value}`);
}
