import type { Quantity } from './format.ts';

/** What the page's script draws: all that it is told, and all that is embedded. */

/** One line or cloud of points of a chart. */
export interface ChartSeries {
  readonly label: string;
  /** As many as the chart has places; null where there is nothing. */
  readonly values: readonly (number | null)[];
  /** Which of the eight colours, 0…7; the dash and the marker follow it, so that nothing hangs on colour alone. */
  readonly colour: number;
  readonly shape: 'line' | 'points';
  /** How values of neighbouring places become one in the table beside the chart. */
  readonly reduce: 'mean' | 'max' | 'last';
}

/** A stretch of the x axis that is shaded, in the units of `xs`. */
export interface ChartBand {
  readonly kind: 'stage' | 'fault' | 'range';
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Up to where the network recovered; `to` where there is nothing to recover from. */
  readonly recovered: number;
}

/** A chart with its data. All series share the places `xs`, ascending; bands lie behind them. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly x: { readonly label: string; readonly quantity: Quantity; readonly log: boolean };
  readonly y: { readonly label: string; readonly quantity: Quantity; readonly log: boolean };
  readonly xs: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly bands: readonly ChartBand[];
}
