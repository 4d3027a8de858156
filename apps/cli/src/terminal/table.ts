/** A column: its title, on which side its values stand, and what it says of an item. */
export interface Column<item> {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly align: 'left' | 'right';
  readonly text: (item: item) => string;
}

/** A column for words. */
export const left = <item>(title: string, text: Column<item>['text']): Column<item> => ({ title, align: 'left', text });

/** A column for numbers, whose digits are to stand below each other. */
export const right = <item>(title: string, text: Column<item>['text']): Column<item> => ({
  title,
  align: 'right',
  text,
});

const gap = '  ';

/** A row for each item, below the titles. @returns lines; none for no items */
export function table<item>(items: readonly item[], columns: readonly Column<item>[]): string[] {
  if (items.length === 0) return [];
  const lines = [columns.map(({ title }) => title), ...items.map((item) => columns.map(({ text }) => text(item)))];
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
