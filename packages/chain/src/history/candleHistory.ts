import {
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  type CandleRange,
  candleStart,
  decodeCandle,
  heightOfKey,
  joinCandles,
  prefixedKey,
  type RecordWrite,
  secondCandleOf,
  statePrefix,
} from '@prime/codec';
import type { Scan, StateDatabase } from '@prime/evm';
import { bigintToNumber, bytesToBigint, type Height, type MarketId } from '@prime/primitives';
import { candleKey, endPrefix, endPrefixBytes, minuteStart, secondKey, stepOf } from './candles.ts';
import { metaKey, readExecuted, readLastApplied, readOldest } from './history.ts';

/** Candles as they are kept: reading them, and removing those that are too old. */

type Reads = Pick<StateDatabase, 'getSync'>;
type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

const entriesPerRead = 1024;

/**
 * The candles of a range in which anything was traded or moved, by time. What it reads is bounded by the range: at most 24 records for one candle, and the
 * seconds of a minute.
 */
export async function readCandles(database: Scans, query: CandleRange): Promise<readonly Candle[]> {
  const { marketId, interval, fromMs, toMs } = query;
  const untilMs = toMs + candleIntervalMs[interval];
  const step = stepOf[interval];
  if (step === null) return secondsIn(database.scan(secondKey(fromMs), secondKey(untilMs)), marketId);
  for (;;) {
    const openMs = minuteStart(headTime(database));
    // Both are as of now. A minute that ended between these lines would be missed, or be counted twice.
    const over = database.scan(candleKey(step, marketId, fromMs), candleKey(step, marketId, untilMs));
    const open = database.scan(secondKey(Math.min(Math.max(fromMs, openMs), untilMs)), secondKey(untilMs));
    if (minuteStart(headTime(database)) !== openMs) {
      await Promise.all([over.close(), open.close()]);
      continue;
    }
    const found: Candle[] = [];
    for await (const [key, value] of entriesOf(over))
      found.push({ openTimeMs: heightOfKey(key), ...decodeCandle(value) });
    found.push(...(await secondsIn(open, marketId)));
    return joinCandles(found, candleIntervalMs[interval]);
  }
}

/** Time of the newest block, ms; 0 before the first. */
function headTime(database: Reads): number {
  const head = readLastApplied(database);
  return head === null ? 0 : (readExecuted(database, head)?.timestampMs ?? 0);
}

/** Candles of a market of one second each. */
async function secondsIn(scan: Scan, marketId: MarketId): Promise<readonly Candle[]> {
  const found: Candle[] = [];
  for await (const [key, value] of entriesOf(scan)) {
    const values = secondCandleOf(value, marketId);
    if (values !== null) found.push({ openTimeMs: heightOfKey(key), ...values });
  }
  return found;
}

/** All that a scan has. */
async function* entriesOf(scan: Scan): AsyncGenerator<readonly [key: Uint8Array, value: Uint8Array]> {
  try {
    for (;;) {
      const entries = await scan.next(entriesPerRead);
      if (entries.length === 0) return;
      yield* entries;
    }
  } finally {
    await scan.close();
  }
}

/**
 * Begin of the oldest candle of an interval that this node has whole, ms; 0 where it has all. A candle is kept as long as the newest block that
 * could be in it.
 */
export function oldestCandle(database: Reads, interval: CandleInterval): number {
  const intervalMs = candleIntervalMs[interval];
  const oldest = readOldest(database, 'oldestBlock');
  const kept = oldest > 0 ? (readExecuted(database, oldest)?.timestampMs ?? 0) : 0;
  return Math.max(candleStart(kept, intervalMs), Math.ceil(candlesSince(database) / intervalMs) * intervalMs);
}

/** Time of the first block whose trades are in candles, ms. */
function candlesSince(database: Reads): number {
  const stored = database.getSync(metaKey('candlesSince'));
  if (stored !== undefined) return bigintToNumber(bytesToBigint(stored));
  const head = readLastApplied(database);
  return head === null || head === 0 ? 0 : readExecuted(database, head)!.timestampMs + 1;
}

/**
 * Removes the candles that no kept block can be in.
 *
 * @param from oldest block that was kept so far
 * @param to   oldest block that will be kept
 */
export async function candleDeletions(database: Scans, from: Height, to: Height): Promise<RecordWrite[]> {
  const timeOf = (height: Height): number => readExecuted(database, height)?.timestampMs ?? 0;
  const fromMs = from > 1 ? timeOf(from) : 0;
  const toMs = timeOf(to);
  const writes: RecordWrite[] = [];
  const over = database.scan(endPrefix(fromMs === 0 ? 0 : fromMs + 1), endPrefix(toMs + 1));
  for await (const [key] of entriesOf(over))
    writes.push(
      { key, value: null },
      { key: prefixedKey(statePrefix.candle, key.subarray(endPrefixBytes)), value: null },
    );
  // Seconds stay until their minute is over: its candles are made of them then.
  const seconds = database.scan(secondKey(minuteStart(fromMs)), secondKey(minuteStart(toMs)));
  for await (const [key] of entriesOf(seconds)) writes.push({ key, value: null });
  return writes;
}
