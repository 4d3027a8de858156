import {
  type CandleInterval,
  candleIntervalMs,
  type CandleSource,
  candlesOfBlock,
  candleStart,
  type CandleValues,
  decodeCandle,
  decodeSecondCandles,
  encodeCandle,
  encodeSecondCandles,
  heightKey,
  type MarketPrices,
  marketPricesIn,
  marketRecordKey,
  mergeCandles,
  noPrices,
  prefixedKey,
  type RecordWrite,
  statePrefix,
  termHeightKey,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { concatBytes, type Height, type MarketId } from '@prime/primitives';

/**
 * Candles of each market (docs/adr/0162-candles.md, 0225-candles-of-mark-and-index.md), deleted with the history of their time. A block writes what it did in all
 * markets into one value of its second. The first block of the next minute makes the candles of the minute of it, and adds them to those of their hour. Every
 * other interval is made of the nearest shorter one when it is asked for.
 */

type Reads = Pick<StateDatabase, 'getSync'>;

/** A length of time of which each market has candles. */
export interface Step {
  readonly code: number;
  readonly stepMs: number;
  /** The longest interval that is made of the step: what is in one of these goes together. */
  readonly longestMs: number;
}

const secondMs = candleIntervalMs['1s'];
const minute: Step = { code: 0, stepMs: candleIntervalMs['1m'], longestMs: candleIntervalMs['15m'] };
const hour: Step = { code: 1, stepMs: candleIntervalMs['1h'], longestMs: candleIntervalMs['1d'] };

/** Begin of the minute of a time: until it is over, what happened in it is in its seconds alone. */
export const minuteStart = (timeMs: number): number => candleStart(timeMs, minute.stepMs);

/** What each interval is made of, beside the seconds of a minute that is not over. */
export const stepOf: Readonly<Record<CandleInterval, Step | null>> = {
  '1s': null,
  '1m': minute,
  '5m': minute,
  '15m': minute,
  '1h': hour,
  '4h': hour,
  '1d': hour,
};

const bytes4 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
/** C | step, 1 byte | market, 4 bytes | begin, ms → candle of the market over that step of time. */
export const candleKey = ({ code }: Step, market: MarketId, startMs: number): Uint8Array =>
  termHeightKey(statePrefix.candle, Uint8Array.of(code, ...bytes4(market)), startMs);
/** What the keys of candles begin with that are needed until a time. */
export const endPrefix = (endMs: number): Uint8Array => termHeightKey(statePrefix.candleEnd, new Uint8Array(0), endMs);
/** Bytes of a {@link candleEndKey} before the rest of the key that it names. */
export const endPrefixBytes = 9;
const candleEndKey = (endMs: number, key: Uint8Array): Uint8Array => concatBytes(endPrefix(endMs), key.subarray(1));

/** S | begin of the second, ms → candles of all markets over it. */
export const secondKey = (startMs: number): Uint8Array => heightKey(statePrefix.secondCandles, startMs as Height);

/** The key says all; a value has to have something. */
const named = Uint8Array.of(1);

/** A block, as far as candles are made of it. */
export interface CandleBlock extends CandleSource {
  readonly timestampMs: number;
  /** Time of the block before; null where this node has none. */
  readonly parentMs: number | null;
}

/** Writes of the candles that a block changes. @param database as it was before the block */
export function candleWrites(block: CandleBlock, database: Reads): RecordWrite[] {
  const writes = minuteWrites(block, database);
  const key = secondKey(candleStart(block.timestampMs, secondMs));
  const stored = database.getSync(key);
  const second = stored === undefined ? new Map<MarketId, CandleValues>() : decodeSecondCandles(stored);
  const changed = candlesOfBlock(block, (market) => {
    const kept = second.get(market);
    return kept === undefined
      ? pricesOf(database, market)
      : { mark: kept.mark?.close ?? null, index: kept.index?.close ?? null };
  });
  if (changed.size === 0) return writes;
  for (const [market, values] of changed) add(second, market, values);
  writes.push({ key, value: encodeSecondCandles(second) });
  return writes;
}

function add(candles: Map<MarketId, CandleValues>, market: MarketId, later: CandleValues): void {
  const earlier = candles.get(market);
  candles.set(market, earlier === undefined ? later : mergeCandles(earlier, later));
}

/** Prices that a market's record has. */
function pricesOf(database: Reads, market: MarketId): MarketPrices {
  const record = database.getSync(prefixedKey(statePrefix.clobRecord, marketRecordKey(market)));
  return record === undefined ? noPrices : marketPricesIn(record);
}

/** Writes of the minute of the block before, where that one is over now, and of its hour as far as it got. */
function minuteWrites({ timestampMs, parentMs }: CandleBlock, database: Reads): RecordWrite[] {
  const startMs = minuteStart(parentMs ?? timestampMs);
  if (startMs === minuteStart(timestampMs)) return [];
  const candles = new Map<MarketId, CandleValues>();
  for (let at = startMs; at < startMs + minute.stepMs; at += secondMs) {
    const stored = database.getSync(secondKey(at));
    if (stored === undefined) continue;
    for (const [market, values] of decodeSecondCandles(stored)) add(candles, market, values);
  }
  return [...candles].flatMap(([market, values]) =>
    [minute, hour].flatMap((step) => grownWrites(step, market, startMs, values, database)),
  );
}

function grownWrites(
  step: Step,
  market: MarketId,
  timeMs: number,
  values: CandleValues,
  database: Reads,
): RecordWrite[] {
  const key = candleKey(step, market, candleStart(timeMs, step.stepMs));
  const before = database.getSync(key);
  if (before !== undefined) return [{ key, value: encodeCandle(mergeCandles(decodeCandle(before), values)) }];
  const endMs = candleStart(timeMs, step.longestMs) + step.longestMs;
  return [
    { key, value: encodeCandle(values) },
    { key: candleEndKey(endMs, key), value: named },
  ];
}
