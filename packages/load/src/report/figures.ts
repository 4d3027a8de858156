import { escapeHtml } from '@prime/primitives';
import type { Chart } from './chart.ts';
import { formatted, type Quantity } from './format.ts';
import { everySo, inSteps } from './timeline.ts';

/** HTML that is safe to send, told apart from text that is not. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, null and false leave nothing, a list is joined. */
type HtmlPart = Html | string | number | null | false | readonly HtmlPart[];

/** Fills a template; whatever is put in is text, unless it is {@link Html} already. Nodes write error messages, so nothing of a report is trusted. */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(strings.reduce((text, string, index) => text + rendered(parts[index - 1] ?? null) + string));

function rendered(part: HtmlPart): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return escapeHtml(String(part));
}

/**
 * JSON for a script element: no text in it can end the element or begin a comment, and none is a line end for a reader that takes it for JavaScript.
 */
export const embeddedJson = (value: unknown): Html =>
  new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );

/** Parts that all sections are put together from. */

/** A part of the page with a heading, and the charts that stand in it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  readonly charts: readonly Chart[];
}

/** A column of a table: its head, how its cells stand, and what each shows of its row. */
export interface Column<Row> {
  readonly head: string;
  /** Text stands left, numbers stand right and end below each other. */
  readonly align: 'text' | 'number';
  readonly cell: (row: Row, index: number) => HtmlPart;
}
/** A column of words. */
export const textColumn = <Row>(head: string, cell: Column<Row>['cell']): Column<Row> => ({
  head,
  align: 'text',
  cell,
});
/** A column of figures with their unit. */
export const numberColumn = <Row>(
  head: string,
  quantity: Quantity,
  of: (row: Row, index: number) => number | null,
): Column<Row> => ({ head, align: 'number', cell: (row, index) => value(of(row, index), quantity) });

/** A table that scrolls by itself on a narrow screen. The first cell of a row names it. */
export const table = <Row>(caption: string, rows: readonly Row[], columns: readonly Column<Row>[]): Html => html`
<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
<table>
<caption>${caption}</caption>
<thead><tr>${columns.map(({ head, align }) => html`<th scope="col" class="${align}">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row, index) => html`<tr>${columns.map(({ align, cell }, at) => tableCell(cell(row, index), align, at === 0))}</tr>`)}</tbody>
</table>
</div>`;

const tableCell = (cell: HtmlPart, align: string, isName: boolean): Html =>
  isName ? html`<th scope="row" class="${align}">${cell}</th>` : html`<td class="${align}">${cell}</td>`;

/** A chart, what is to be seen in it, and its data as a table for those who can not see it. */
export const figure = (chart: Chart, words: HtmlPart): Html => html`
<figure class="card">
<figcaption><h3 id="${chart.id}-title">${chart.title}</h3><p>${words}</p></figcaption>
<div class="chart" data-chart="${chart.id}"></div>
<details><summary>Data of this chart<span class="hidden">: ${chart.title}</span></summary>
${dataTable(chart)}
</details>
</figure>`;

/** More rows than this nobody reads. */
const rowsMax = 30;

function dataTable({ title, x, y, xs, series }: Chart): Html {
  const step = Math.max(1, Math.ceil(xs.length / rowsMax));
  const caption = step === 1 ? title : `${title}, one row for ${step} steps`;
  return table(caption, everySo(xs, step), [
    textColumn(x.label, (place) => formatted(place, x.quantity)),
    ...series.map((one) => {
      const values = inSteps(one, step);
      const head = step === 1 ? one.label : `${one.label}${reduced[one.reduce]}`;
      return numberColumn<number>(head, y.quantity, (_place, index) => values[index]!);
    }),
  ]);
}

const reduced = { mean: ', mean', max: ', highest', last: '' } as const;

/** A number that stands for itself. */
export const tile = (label: string, value: string, words: HtmlPart = null): Html => html`
<div class="tile"><dt>${label}</dt><dd><strong>${value}</strong>${words === null ? null : html`<span>${words}</span>`}</dd></div>`;

/** A row of tiles; each is made by {@link tile}. */
export const tiles = (of: readonly Html[]): Html => html`<dl class="tiles">${of}</dl>`;

/** A bar as wide as a share of its cell; what it says stands in a cell beside it. */
export const bar = (from: number, to: number, tail = to): Html => html`
<svg class="bar" height="14" aria-hidden="true"><rect class="bar-tail" y="5" height="4" x="${percent(from)}" width="${percent(tail - from)}"/><rect class="bar-body" y="1" height="12" rx="2" x="${percent(from)}" width="${percent(Math.max(0.004, to - from))}"/></svg>`;

const percent = (share: number): string => `${(100 * Math.max(0, share)).toFixed(2)}%`;

/** A count with its noun, such as `1 block` and `2 blocks`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatted(count, 'count')} ${count === 1 ? one : many}`;

/** A figure with its unit; a dash where there is none. */
export const value = (of: number | null, quantity: Quantity): string => formatted(of, quantity);
