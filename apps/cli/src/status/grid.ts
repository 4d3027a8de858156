import type { Paint } from '../client/book/ladder.ts';

/** A text in a table, and how it is painted: only after it has its width, because colours take none. */
export interface Cell {
  readonly text: string;
  readonly paint?: keyof Paint;
  /** In place of a text that is cut off: what it says in so much room. */
  readonly fit?: (width: number) => string;
}

/** A column that is shown where there is room for it, the first ones first. */
export interface GridColumn<item> {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (item: item) => Cell;
  /** Takes what the others leave. */
  readonly isWide?: boolean;
}

const gap = 2;
/** Less of a wide column says nothing. */
const wideMin = 8;

/** A text that is cut off, with a sign that it is. */
export const cutTo = (text: string, width: number): string =>
  text.length <= width ? text : width <= 1 ? text.slice(0, Math.max(0, width)) : `${text.slice(0, width - 1)}…`;

/** A row for each item, at most so wide; columns that do not fit are left out, the last ones first. */
export function grid<item>(
  items: readonly item[],
  columns: readonly GridColumn<item>[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): { readonly title: string; readonly rows: readonly string[] } {
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  const natural = columns.map(({ title, isWide = false }, index) =>
    isWide ? wideMin : Math.max(title.length, ...rows.map((row) => row[index]?.text.length ?? 0)),
  );
  let shown = columns.length;
  const needed = (count: number): number =>
    natural.slice(0, count).reduce((sum, one) => sum + one, 0) + gap * (count - 1);
  while (shown > 1 && needed(shown) > width) shown--;
  const spare = Math.max(0, width - needed(shown));
  const widths = natural
    .slice(0, shown)
    .map((one, index) => (columns[index]!.isWide === true ? one + spare : Math.min(one, width)));
  const line = (cells: readonly Cell[], style?: keyof Paint): string =>
    cells
      .slice(0, shown)
      .map(({ text, fit = (room) => cutTo(text, room), paint: own = style }, index) => {
        const cut = fit(widths[index]!);
        // Nothing stands behind the last one.
        const isLast = index === shown - 1;
        const filled =
          columns[index]!.align === 'right' ? cut.padStart(widths[index]!) : isLast ? cut : cut.padEnd(widths[index]!);
        return own === undefined ? filled : paint[own](filled);
      })
      .join(' '.repeat(gap));
  return {
    title: line(
      columns.map(({ title }) => ({ text: title })),
      'faint',
    ),
    rows: rows.map((row) => line(row)),
  };
}
