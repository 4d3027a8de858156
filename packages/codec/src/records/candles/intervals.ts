/** Lengths of candles that can be asked for, ms. */
export const candleIntervalMs = {
  '1s': 1_000,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const;
/** One of {@link candleIntervals}, as requests name it. */
export type CandleInterval = keyof typeof candleIntervalMs;
/** From the shortest to the longest. */
export const candleIntervals = Object.keys(candleIntervalMs) as readonly CandleInterval[];

/** Begin of the candle of an interval that holds a time. */
export const candleStart = (timeMs: number, intervalMs: number): number => timeMs - (timeMs % intervalMs);
