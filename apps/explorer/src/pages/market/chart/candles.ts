import type { Candle, Market } from '@prime/sdk';

/** Prices of trades of a candle, in whole units. */
interface Bar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A candle as it is drawn: whole units, time in seconds since 1970. */
export interface DrawnCandle {
  readonly time: number;
  /** null before the first trade. */
  readonly bar: Bar | null;
  readonly volume: number;
  /** Where the mark stood in the end; null where there was none. */
  readonly mark: number | null;
  /** The same of the index. */
  readonly index: number | null;
}

/** Candles that a chart holds. */
export const candlesMax = 1_000;

/** Oldest first, each time once; of two of one time the newer one counts. */
export function mergeCandles(known: readonly Candle[], more: readonly Candle[]): readonly Candle[] {
  const byTime = new Map([...known, ...more].map((candle) => [candle.openTimeMs, candle]));
  return [...byTime.values()].toSorted((a, b) => a.openTimeMs - b.openTimeMs).slice(-candlesMax);
}

/** Numbers of a market for a chart. A picture has no more digits than a number holds. */
export function drawn(candle: Candle, market: Market): DrawnCandle {
  const { openTimeMs, open, high, low, close, volume, mark, index } = candle;
  const price = (value: bigint): number => Number(market.formatPrice(value));
  const isTraded = open !== null && high !== null && low !== null && close !== null;
  return {
    time: openTimeMs / 1_000,
    bar: isTraded ? { open: price(open), high: price(high), low: price(low), close: price(close) } : null,
    volume: Number(market.formatSize(volume)),
    mark: mark === null ? null : price(mark.close),
    index: index === null ? null : price(index.close),
  };
}

/** {@link drawn} for candles that come again and again: each is read once. */
export function createDrawing(market: Market): (candle: Candle) => DrawnCandle {
  const known = new WeakMap<Candle, DrawnCandle>();
  return (candle) => {
    const kept = known.get(candle) ?? drawn(candle, market);
    known.set(candle, kept);
    return kept;
  };
}

/** Nobody traded: the last price stands. */
function flat(bar: Bar | null): Bar | null {
  if (bar === null) return null;
  const { close } = bar;
  return { open: close, high: close, low: close, close };
}

/**
 * With a candle for each interval in between in which nothing changed, so that time is as wide everywhere; the newest ones where that would be too many. Where
 * nobody traded, candles are flat, and mark and index stand where they stood.
 */
export function withoutGaps(candles: readonly DrawnCandle[], stepMs: number): readonly DrawnCandle[] {
  const step = stepMs / 1_000;
  const last = candles.at(-1);
  if (last === undefined) return [];
  const first = last.time - (candlesMax - 1) * step;
  const filled: DrawnCandle[] = [];
  // As the candle before stands where nothing changes any more.
  let still: DrawnCandle = { time: last.time, bar: null, volume: 0, mark: null, index: null };
  for (const candle of candles) {
    for (let time = Math.max(still.time + step, first); time < candle.time; time += step)
      filled.push({ ...still, time });
    const bar: Bar | null = candle.bar ?? still.bar;
    if (candle.time >= first) filled.push({ ...candle, bar });
    still = { ...candle, bar: flat(bar), volume: 0 };
  }
  return filled;
}
