import { type Candle, type CandleInterval, candleIntervalMs, candleIntervals } from '@prime/codec';
import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { parseTimeMs } from './times.ts';
import { quantityResult } from '../schema/resultSchemas.ts';
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

/** Prices of the index and the mark may come beside those of trades. */
export const candleResult = Type.Object(
  {
    open_time_ms: quantityResult,
    close_time_ms: quantityResult,
    open: quantityResult,
    high: quantityResult,
    low: quantityResult,
    close: quantityResult,
    volume: quantityResult,
    quote_volume: quantityResult,
    trades: quantityResult,
  },
  { title: 'Candle' },
);

/** A candle in snake_case quantities; `close_time_ms` is where the next one begins. */
export const formatCandle = (candle: Candle, interval: CandleInterval): Record<string, unknown> => ({
  open_time_ms: toQuantity(candle.openTimeMs),
  close_time_ms: toQuantity(candle.openTimeMs + candleIntervalMs[interval]),
  open: toQuantity(candle.open),
  high: toQuantity(candle.high),
  low: toQuantity(candle.low),
  close: toQuantity(candle.close),
  volume: toQuantity(candle.volume),
  quote_volume: toQuantity(candle.quoteVolume),
  trades: toQuantity(candle.trades),
});
