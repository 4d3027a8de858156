import { type Candle, type CandleInterval, candleIntervalMs, candleIntervals, type Ohlc } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { parseTimeMs } from './times.ts';
import { orNull, quantityResult } from '../schema/resultSchemas.ts';
import { hintKey, index, nullable, type ValueType, valueType } from '../schema/valueTypes.ts';

/** Candles as calls and answers write them. */

/** Length of a candle, as `1m`. */
export const candleInterval: ValueType<CandleInterval> = valueType(
  Type.Union(
    candleIntervals.map((interval) => Type.Literal(interval)),
    { [hintKey]: `must be one of ${candleIntervals.join(', ')}` },
  ),
  (value: CandleInterval) => value,
);

/** What part of a history is asked for. */
export interface TimeRange {
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly limit?: number;
}
interface WireRange {
  readonly from_time_ms?: string | number | null;
  readonly to_time_ms?: string | number | null;
  readonly limit?: string | number | null;
}

/** Part of a history, in ms since 1970. Times that can only be in seconds are refused with `RPC_INVALID_PARAMS`. */
export const candleRange: ValueType<TimeRange> = valueType(
  Type.Object(
    {
      from_time_ms: Type.Optional(nullable(index.schema)),
      to_time_ms: Type.Optional(nullable(index.schema)),
      limit: Type.Optional(nullable(index.schema)),
    },
    { additionalProperties: false, [hintKey]: 'must be {from_time_ms, to_time_ms, limit}, each optional' },
  ),
  ({ from_time_ms: from, to_time_ms: to, limit }: WireRange) => ({
    ...(from == null ? {} : { fromMs: parseTimeMs(from, 'range.from_time_ms') }),
    ...(to == null ? {} : { toMs: parseTimeMs(to, 'range.to_time_ms') }),
    ...(limit == null ? {} : { limit: Number(limit) }),
  }),
);

const ohlc = {
  open: quantityResult,
  high: quantityResult,
  low: quantityResult,
  close: quantityResult,
} as const;
const priceOverResult = Type.Object(ohlc, { title: 'Ohlc' });

/** Trades, mark and index. Prices of trades are null where there were none, mark and index where the market has none. */
export const candleResult = Type.Object(
  {
    open_time_ms: quantityResult,
    close_time_ms: quantityResult,
    open: orNull(quantityResult),
    high: orNull(quantityResult),
    low: orNull(quantityResult),
    close: orNull(quantityResult),
    volume: quantityResult,
    quote_volume: quantityResult,
    trades: quantityResult,
    mark: orNull(priceOverResult),
    index: orNull(priceOverResult),
  },
  { title: 'Candle' },
);

const quantityOrNull = (value: bigint | undefined): string | null => (value === undefined ? null : toQuantity(value));
const formatOhlc = (prices: Ohlc | null): Record<string, string> | null =>
  prices === null
    ? null
    : {
        open: toQuantity(prices.open),
        high: toQuantity(prices.high),
        low: toQuantity(prices.low),
        close: toQuantity(prices.close),
      };

/** A candle in snake_case quantities; `close_time_ms` is where the next one begins. */
export const formatCandle = (
  { openTimeMs, traded, mark, index: indexPrices }: Candle,
  interval: CandleInterval,
): Record<string, unknown> => ({
  open_time_ms: toQuantity(openTimeMs),
  close_time_ms: toQuantity(openTimeMs + candleIntervalMs[interval]),
  open: quantityOrNull(traded?.open),
  high: quantityOrNull(traded?.high),
  low: quantityOrNull(traded?.low),
  close: quantityOrNull(traded?.close),
  volume: toQuantity(traded?.volume ?? 0n),
  quote_volume: toQuantity(traded?.quoteVolume ?? 0n),
  trades: toQuantity(traded?.trades ?? 0),
  mark: formatOhlc(mark),
  index: formatOhlc(indexPrices),
});
