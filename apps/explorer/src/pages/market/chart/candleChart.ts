/** The only file with lightweight-charts in it: it is loaded when a chart is drawn. */
import {
  CandlestickSeries,
  type CandlestickSeriesPartialOptions,
  type ChartOptions,
  createChart,
  CrosshairMode,
  type DeepPartial,
  HistogramSeries,
  LineSeries,
  type LineSeriesPartialOptions,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { DrawnCandle } from './candles.ts';
import { type ChartColours, faded } from './colours.ts';

/** A chart that stands on the page until it is closed. */
export interface CandleChart {
  /** All of them, oldest first; the newest are in sight afterwards. */
  set(candles: readonly DrawnCandle[]): void;
  /** The newest one, or the one after it. */
  update(candle: DrawnCandle): void;
  colour(colours: ChartColours): void;
  close(): void;
}

/** Where candles are drawn, and how. */
export interface CandleChartOptions {
  readonly element: HTMLElement;
  readonly colours: ChartColours;
  /** Digits of prices behind the point. */
  readonly digits: number;
  /** Whether seconds matter on the axis of time. */
  readonly hasSeconds: boolean;
  /** The candle that is pointed at; null for none. */
  readonly onPoint: (time: number | null) => void;
}

/** How much of the height volumes take, from the bottom. */
const volumeShare = 0.18;
/** Candles in sight at first. */
const shownCandles = 90;

const chartOptions = (colours: ChartColours): DeepPartial<ChartOptions> => ({
  layout: {
    background: { color: 'transparent' },
    textColor: colours.text,
    fontFamily: getComputedStyle(document.body).fontFamily,
    fontSize: 11,
    // The page's policy allows no style that a script writes into the page; the attribution stands below the chart as text.
    attributionLogo: false,
  },
  grid: { vertLines: { color: faded(colours.line, 0.6) }, horzLines: { color: faded(colours.line, 0.6) } },
  crosshair: {
    mode: CrosshairMode.Normal,
    vertLine: { color: colours.text, labelBackgroundColor: colours.accent },
    horzLine: { color: colours.text, labelBackgroundColor: colours.accent },
  },
  rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: volumeShare + 0.06 } },
  timeScale: { borderVisible: false, rightOffset: 4 },
});

const candleOptions = (colours: ChartColours): CandlestickSeriesPartialOptions => ({
  upColor: colours.buy,
  downColor: colours.sell,
  wickUpColor: colours.buy,
  wickDownColor: colours.sell,
  borderVisible: false,
});

/** Thin, so that candles stay what is seen first. The index is dashed: colours alone tell nobody apart who sees few of them. */
const lineOptions = (colours: ChartColours, of: 'mark' | 'index'): LineSeriesPartialOptions => ({
  color: of === 'mark' ? colours.accent : colours.warn,
  lineStyle: of === 'mark' ? LineStyle.Solid : LineStyle.Dashed,
  lineWidth: 1,
  lastValueVisible: false,
  priceLineVisible: false,
  crosshairMarkerVisible: false,
});

const timeOf = ({ time }: DrawnCandle): UTCTimestamp => time as UTCTimestamp;

/** What each series takes of a candle; a time alone leaves a place empty. */
const barOf = (candle: DrawnCandle) =>
  candle.bar === null ? { time: timeOf(candle) } : { time: timeOf(candle), ...candle.bar };

function pointOf(candle: DrawnCandle, of: 'mark' | 'index') {
  const value = candle[of];
  return value === null ? { time: timeOf(candle) } : { time: timeOf(candle), value };
}

function volumeOf(candle: DrawnCandle, colours: ChartColours) {
  if (candle.bar === null) return { time: timeOf(candle) };
  const { open, close } = candle.bar;
  return {
    time: timeOf(candle),
    value: candle.volume,
    color: faded(close >= open ? colours.buy : colours.sell, 0.32),
  };
}

/** Draws an empty chart of prices and volumes, with lines for mark and index, that follows the size of its element. */
export function drawCandles({ element, colours, digits, hasSeconds, onPoint }: CandleChartOptions): CandleChart {
  const chart = createChart(element, {
    autoSize: true,
    ...chartOptions(colours),
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
  });
  chart.timeScale().applyOptions({ timeVisible: true, secondsVisible: hasSeconds });
  const candleSeries = chart.addSeries(CandlestickSeries, {
    ...candleOptions(colours),
    priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits },
  });
  const lines = (['mark', 'index'] as const).map((of) => ({
    of,
    series: chart.addSeries(LineSeries, lineOptions(colours, of)),
  }));
  const volumeSeries = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    lastValueVisible: false,
    priceLineVisible: false,
  });
  chart.priceScale('volume').applyOptions({ scaleMargins: { top: 1 - volumeShare, bottom: 0 } });
  chart.subscribeCrosshairMove(({ time }) => onPoint(typeof time === 'number' ? time : null));
  let shown: readonly DrawnCandle[] = [];
  let now = colours;
  return {
    set(candles) {
      shown = candles;
      candleSeries.setData(candles.map(barOf));
      for (const { of, series } of lines) series.setData(candles.map((candle) => pointOf(candle, of)));
      volumeSeries.setData(candles.map((candle) => volumeOf(candle, now)));
      chart.timeScale().setVisibleLogicalRange({ from: candles.length - shownCandles, to: candles.length + 4 });
    },
    update(candle) {
      shown = [...shown.filter(({ time }) => time < candle.time), candle];
      candleSeries.update(barOf(candle));
      for (const { of, series } of lines) series.update(pointOf(candle, of));
      volumeSeries.update(volumeOf(candle, now));
    },
    colour(next) {
      now = next;
      chart.applyOptions(chartOptions(next));
      candleSeries.applyOptions(candleOptions(next));
      for (const { of, series } of lines) series.applyOptions(lineOptions(next, of));
      volumeSeries.setData(shown.map((candle) => volumeOf(candle, next)));
    },
    close: () => chart.remove(),
  };
}
