import {
  type CandleInterval,
  candleIntervalMs,
  candleStart,
  type CandleValues,
  decodeCandle,
  encodeCandle,
  mergeCandles,
  type RecordWrite,
  statePrefix,
  termHeightKey,
  tradedIn,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { concatBytes, type MarketId, type TimestampMs } from '@prime/primitives';

/**
 * Candles of each market (docs/adr/0162-candles.md): written with the block whose trades they sum up, and deleted with the history of their time. Three
 * steps of time are stored; every other interval is made of the nearest shorter one when it is asked for.
 */

type Reads = Pick<StateDatabase, 'getSync'>;

/** A length of time that is stored. */
export interface Step {
  readonly code: number;
  readonly stepMs: number;
  /** The longest interval that is made of the step: what is in one of these goes together. */
  readonly longestMs: number;
}

const second: Step = { code: 0, stepMs: candleIntervalMs['1s'], longestMs: candleIntervalMs['1s'] };
const minute: Step = { code: 1, stepMs: candleIntervalMs['1m'], longestMs: candleIntervalMs['15m'] };
const hour: Step = { code: 2, stepMs: candleIntervalMs['1h'], longestMs: candleIntervalMs['1d'] };
const steps: readonly Step[] = [second, minute, hour];

/** What each interval is made of. */
export const stepOf: Readonly<Record<CandleInterval, Step>> = {
  '1s': second,
  '1m': minute,
  '5m': minute,
  '15m': minute,
  '1h': hour,
  '4h': hour,
  '1d': hour,
};

const bytes4 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
/** C | step, 1 byte | market, 4 bytes | begin, ms → what the market traded in that step of time. */
export const candleKey = ({ code }: Step, market: MarketId, startMs: number): Uint8Array =>
  termHeightKey(statePrefix.candle, Uint8Array.of(code, ...bytes4(market)), startMs);
/** What the keys of candles begin with that are needed until a time. */
export const endPrefix = (endMs: number): Uint8Array => termHeightKey(statePrefix.candleEnd, new Uint8Array(0), endMs);
/** Bytes of a {@link candleEndKey} before the rest of the key that it names. */
export const endPrefixBytes = 9;
const candleEndKey = (endMs: number, key: Uint8Array): Uint8Array => concatBytes(endPrefix(endMs), key.subarray(1));

/** The key says all; a value has to have something. */
const named = Uint8Array.of(1);

/** Writes of the candles that a block's trades change. @param events of the block, encoded @param database as it was before the block */
export function candleWrites(timestampMs: TimestampMs, events: Uint8Array, database: Reads): RecordWrite[] {
  const writes: RecordWrite[] = [];
  for (const [market, traded] of tradedIn(events))
    for (const step of steps) writes.push(...stepWrites(step, market, timestampMs, traded, database));
  return writes;
}

function stepWrites(
  step: Step,
  market: MarketId,
  timestampMs: number,
  traded: CandleValues,
  database: Reads,
): RecordWrite[] {
  const key = candleKey(step, market, candleStart(timestampMs, step.stepMs));
  const before = database.getSync(key);
  if (before !== undefined) return [{ key, value: encodeCandle(mergeCandles(decodeCandle(before), traded)) }];
  const endMs = candleStart(timestampMs, step.longestMs) + step.longestMs;
  return [
    { key, value: encodeCandle(traded) },
    { key: candleEndKey(endMs, key), value: named },
  ];
}
