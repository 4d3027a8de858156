/** The only file with uPlot in it: it is loaded when depth is drawn. */
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { type ChartColours, faded } from './colours.ts';
import type { DepthCurve } from './depth.ts';

/** A chart that stands on the page until it is closed. */
export interface DepthChart {
  set(curve: DepthCurve): void;
  close(): void;
}

/** Where depth is drawn, and how. */
export interface DepthChartOptions {
  readonly element: HTMLElement;
  readonly colours: ChartColours;
  /** How prices and sizes are written. */
  readonly price: (value: number) => string;
  readonly size: (value: number) => string;
}

const font = (): string => `11px ${getComputedStyle(document.body).fontFamily}`;

/** Draws an empty chart of both sides that follows the size of its element. */
export function drawDepth({ element, colours, price, size }: DepthChartOptions): DepthChart {
  const stepped = uPlot.paths.stepped!;
  const axis = {
    stroke: colours.text,
    font: font(),
    grid: { stroke: faded(colours.line, 0.6) },
    ticks: { show: false },
  };
  const side = (label: string, colour: string, align: 1 | -1): uPlot.Series => ({
    label,
    stroke: colour,
    width: 1.5,
    fill: faded(colour, 0.16),
    paths: stepped({ align }),
    points: { show: false },
    value: (_, value) => (value === null ? '–' : size(value)),
  });
  const { width, height } = element.getBoundingClientRect();
  const plot = new uPlot(
    {
      width,
      height: heightOf(height),
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, (most || 1) * 1.08] } },
      series: [
        { label: 'Price', value: (_, value) => (value === null ? '–' : price(value)) },
        side('Bids', colours.buy, -1),
        side('Asks', colours.sell, 1),
      ],
      axes: [
        { ...axis, values: (_, values) => values.map(price) },
        { ...axis, side: 1, size: 64, values: (_, values) => values.map(size) },
      ],
      cursor: { y: false, drag: { x: false, y: false } },
    },
    [[], [], []],
    element,
  );
  const resized = new ResizeObserver(([entry]) => {
    const { width: next, height: tall } = entry!.contentRect;
    if (next > 0) plot.setSize({ width: next, height: heightOf(tall) });
  });
  resized.observe(element);
  return {
    set: ({ prices, bids, asks }) => plot.setData([[...prices], [...bids], [...asks]]),
    close() {
      resized.disconnect();
      plot.destroy();
    },
  };
}

/** The line below the chart with the figures that are pointed at, px. */
const legendHeight = 28;
const heightOf = (all: number): number => Math.max(120, all - legendHeight);
