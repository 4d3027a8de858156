import type UPlot from 'uplot';
import type { Chart, ChartSeries } from '../chart.ts';
import { formatted } from '../format.ts';
import { drawBands, drawNames, namesHeight } from './bands.ts';
import { dashes, type Theme } from './theme.ts';

/** From uPlot's own script, which stands before this one. */
declare const uPlot: typeof UPlot;

const height = 240;
/** Charts over time move and zoom together. */
const timeKey = 'time';
const isTime = ({ x }: Chart): boolean => x.quantity === 'seconds';
const font = '12px system-ui, sans-serif';
/** What a minute and an hour divide into. s */
const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const wholeSteps = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
const widthOfCharacter = 6.7;
const manyPoints = 250;
/** Places between the decades of nines, 50 % and 75 %, where there is room for them. */
const halves: readonly number[] = [2, 4];
const narrow = 600;

/** What uPlot is told of a chart. Colours are read anew at each drawing, since the reader may change the theme. */
export function plotOptions(chart: Chart, width: number, theme: () => Theme): UPlot.Options {
  return {
    width,
    height: height + namesHeight(chart.bands),
    // Above, at the right, below, at the left: the last three as uPlot thinks.
    padding: [namesHeight(chart.bands) + 6, null, null, null],
    legend: { show: false },
    cursor: {
      // The height of the cursor means nothing where values are told of a place.
      y: false,
      drag: { x: isTime(chart), y: false },
      ...(isTime(chart) ? { sync: { key: timeKey } } : {}),
      points: { size: 7 },
    },
    scales: {
      x: { time: false, ...(chart.x.log ? { distr: 3 as const, log: 10 as const } : {}), ...xRange(chart) },
      y: chart.y.log ? { distr: 3, log: 10 } : { range: (_plot, _min, max) => [0, max > 0 ? max * 1.12 : 1] },
    },
    axes: [xAxis(chart, theme), yAxis(chart, theme)],
    series: [{}, ...chart.series.map((series) => seriesOptions(series, chart.xs.length, theme))],
    hooks: {
      drawClear: [(plot) => drawBands(plot, chart.bands, theme())],
      draw: [(plot) => drawNames(plot, chart.bands, theme())],
    },
  };
}

/** One place alone has no range, and a scatter needs room at its ends. */
function xRange({ xs, x }: Chart): { readonly range?: UPlot.Scale.Range } {
  if (x.quantity === 'percentile') return { range: () => [1, Math.max(10, xs.at(-1) ?? 10)] };
  if (x.quantity !== 'rate') return {};
  const [low, high] = [xs[0] ?? 0, xs.at(-1) ?? 1];
  const room = Math.max(1, (high - low) * 0.06);
  return { range: () => [Math.max(0, low - room), high + room] };
}

const seriesOptions = ({ label, colour, shape }: ChartSeries, places: number, theme: () => Theme): UPlot.Series => {
  const stroke = (): string => theme().series[colour]!;
  if (shape === 'line')
    return { label, stroke, width: 2, dash: [...dashes[colour]!], points: { show: places < 3 }, spanGaps: false };
  return {
    label,
    stroke,
    paths: () => null,
    points: {
      show: true,
      size: places > manyPoints ? 3 : 9,
      width: 2,
      stroke,
      fill: () => (isFilled(colour) ? theme().series[colour]! : theme().surface),
    },
  };
};

/** Points differ by more than their colour. */
export const isFilled = (colour: number): boolean => colour % 2 === 0;

function lines(theme: () => Theme): Pick<UPlot.Axis, 'stroke' | 'grid' | 'ticks' | 'font' | 'labelFont'> {
  const stroke = (): string => theme().grid;
  return {
    stroke: () => theme().faint,
    grid: { stroke, width: 1 },
    ticks: { stroke, width: 1, size: 5 },
    font,
    labelFont: font,
  };
}

function xAxis({ x, xs }: Chart, theme: () => Theme): UPlot.Axis {
  const values = (_plot: UPlot, splits: readonly number[]): string[] =>
    splits.map((split) => formatted(split, x.quantity));
  const nines = Array.from({ length: 12 }, (_, power) => 10 ** power).filter((nine) => nine <= (xs.at(-1) ?? 10));
  return {
    ...lines(theme),
    values,
    label: x.label,
    labelSize: 22,
    size: 32,
    ...(x.quantity === 'seconds' ? { incrs: secondSteps } : {}),
    ...(x.quantity === 'percentile'
      ? {
          splits: [1, ...halves, ...nines.slice(1)].sort((a, b) => a - b),
          filter: (plot, splits) =>
            splits.map((split) => (plot.width < narrow && halves.includes(split) ? null : split)),
        }
      : {}),
  };
}

function yAxis({ y }: Chart, theme: () => Theme): UPlot.Axis {
  return {
    ...lines(theme),
    values: (_plot, splits) => splits.map((split) => (split === null ? '' : formatted(split, y.quantity))),
    size: (_plot, values) =>
      Math.max(40, 14 + widthOfCharacter * Math.max(0, ...(values ?? []).map((text) => (text ?? '').length))),
    ...(y.quantity === 'count' ? { incrs: wholeSteps } : {}),
  };
}

/** Ends the zoom of all charts over time. */
export function showAll(): void {
  for (const plot of uPlot.sync(timeKey).plots) {
    const [xs] = plot.data;
    if (xs.length > 0) plot.setScale('x', { min: xs[0]!, max: xs[xs.length - 1]! });
  }
}

/** Draws a chart into an element of the page; `data` begins with the x values. */
export const createPlot = (options: UPlot.Options, data: UPlot.AlignedData, place: HTMLElement): UPlot =>
  new uPlot(options, data, place);
