import type { ComponentChildren, JSX } from 'preact';
import { Card, Skeleton } from './layout.tsx';

/** One column of a table: its head, and what stands in its cells. */
export interface Column<row> {
  /** Empty for one column at most: it names the column. */
  readonly title: string;
  readonly cell: (row: row) => ComponentChildren;
  readonly align?: 'left' | 'right';
  /** Left out on a phone, unless rows become cards. */
  readonly wideOnly?: boolean;
  /** CSS width, so that nothing moves when values come. */
  readonly width?: string;
}

interface RowsProps<row> {
  readonly columns: readonly Column<row>[];
  /** null while they are being read. */
  readonly rows: readonly row[] | null;
  readonly keyOf: (row: row) => string | number | bigint;
  readonly dense?: boolean;
  /** What rows become on a phone: lines of the most important columns, or cards with all of them. */
  readonly onPhone?: 'lines' | 'cards';
  /** Rows that are expected, whose place is kept while they are being read. */
  readonly expected?: number;
  /** Shown where there are none. */
  readonly empty: ComponentChildren;
}

interface TableProps<row> extends RowsProps<row> {
  /** What it lists, for screen readers. */
  readonly label: string;
}

interface TableCardProps<row> extends RowsProps<row> {
  readonly title: string;
  /** What it lists, for screen readers; the title where that says it. */
  readonly label?: string;
  /** As {@link Card} has it. */
  readonly aside?: ComponentChildren;
  /** Around the table, for the style sheet. */
  readonly class?: string;
  /** Below the table. */
  readonly children?: ComponentChildren;
}

const classOf = <row,>({ align, wideOnly }: Column<row>): string =>
  `${align === 'right' ? 'right' : ''} ${wideOnly === true ? 'wide-only' : ''}`.trim();

/** Rows of one height below a head that stays. */
export function Table<row>(props: TableProps<row>): JSX.Element {
  const { label, columns, rows, keyOf, dense = false, onPhone = 'lines', expected = 6, empty } = props;
  if (rows !== null && rows.length === 0) return <>{empty}</>;
  return (
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table class={`table ${dense ? 'dense' : ''} ${onPhone}`} aria-busy={rows === null}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)} style={{ width: column.width ?? '' }}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === null
            ? Array.from({ length: expected }, (_, index) => (
                <tr key={index}>
                  {columns.map((column) => (
                    <td key={column.title} class={classOf(column)} data-label={column.title}>
                      <Skeleton width={`${4 + ((index * 3 + column.title.length) % 5)}ch`} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={String(keyOf(row))}>
                  {columns.map((column) => (
                    <td key={column.title} class={classOf(column)} data-label={column.title}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** A part of a page that is a table. */
export const TableCard = <row,>(props: TableCardProps<row>): JSX.Element => {
  const { title, label = title, aside, class: look, children, ...rows } = props;
  return (
    <Card title={title} aside={aside} flush>
      <div class={look}>
        <Table label={label} {...rows} />
      </div>
      {children}
    </Card>
  );
};
