import type { Candle, Market } from '@prime/sdk';

/** A candle as it is drawn: whole units, time in seconds since 1970. */
export interface DrawnCandle {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Candles that a chart holds. */
export const candlesMax = 1_000;

/** Oldest first, each time once; of two of one time the newer one counts. */
export function mergeCandles(known: readonly Candle[], more: readonly Candle[]): readonly Candle[] {
  const byTime = new Map([...known, ...more].map((candle) => [candle.openTimeMs, candle]));
  return [...byTime.values()].toSorted((a, b) => a.openTimeMs - b.openTimeMs).slice(-candlesMax);
}

/** Numbers of a market for a chart; null where nothing was traded. A picture has no more digits than a number holds. */
export const drawn = ({ openTimeMs, open, high, low, close, volume }: Candle, market: Market): DrawnCandle | null => {
  if (open === null || high === null || low === null || close === null) return null;
  const price = (value: bigint): number => Number(market.formatPrice(value));
  return {
    time: openTimeMs / 1_000,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: Number(market.formatSize(volume)),
  };
};

/** With a flat candle for each interval in between in which nobody traded, so that time is as wide everywhere; the newest ones where that would be too many. */
export function withoutGaps(candles: readonly DrawnCandle[], stepMs: number): readonly DrawnCandle[] {
  const step = stepMs / 1_000;
  const filled: DrawnCandle[] = [];
  for (let index = candles.length - 1; index >= 0 && filled.length < candlesMax; index--) {
    const candle = candles[index]!;
    const next = filled.at(-1)?.time ?? candle.time + step;
    const { close } = candle;
    for (let time = next - step; time > candle.time && filled.length < candlesMax; time -= step)
      filled.push({ time, open: close, high: close, low: close, close, volume: 0 });
    if (filled.length < candlesMax) filled.push(candle);
  }
  return filled.toReversed();
}

/** The newest candle with a trade in it that its node has not told of yet. */
export const withPrice = (candle: DrawnCandle, price: number): DrawnCandle => ({
  ...candle,
  close: price,
  high: Math.max(candle.high, price),
  low: Math.min(candle.low, price),
});
