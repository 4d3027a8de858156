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
  statePrefix,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { bigintToNumber, bytesToBigint, type Height } from '@prime/primitives';
import { candleKey, endPrefix, endPrefixBytes, stepOf } from './candles.ts';
import { metaKey, readExecuted, readLastApplied, readOldest } from './history.ts';

/** Candles as they are kept: reading them, and removing those that are too old. */

type Reads = Pick<StateDatabase, 'getSync'>;
type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

const entriesPerRead = 1024;

/** The candles of a range that have trades, by time. What it reads is bounded by the range: at most 24 records for one candle. */
export async function readCandles(database: Scans, query: CandleRange): Promise<readonly Candle[]> {
  const { marketId, interval, fromMs, toMs } = query;
  const step = stepOf[interval];
  const intervalMs = candleIntervalMs[interval];
  const scan = database.scan(candleKey(step, marketId, fromMs), candleKey(step, marketId, toMs + intervalMs));
  const found: Candle[] = [];
  try {
    for (;;) {
      const entries = await scan.next(entriesPerRead);
      if (entries.length === 0) return joinCandles(found, intervalMs);
      for (const [key, value] of entries) found.push({ openTimeMs: heightOfKey(key), ...decodeCandle(value) });
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
  const fromMs = from > 1 ? timeOf(from) + 1 : 0;
  const scan = database.scan(endPrefix(fromMs), endPrefix(timeOf(to) + 1));
  const writes: RecordWrite[] = [];
  try {
    for (;;) {
      const entries = await scan.next(entriesPerRead);
      if (entries.length === 0) return writes;
      for (const [key] of entries)
        writes.push(
          { key, value: null },
          { key: prefixedKey(statePrefix.candle, key.subarray(endPrefixBytes)), value: null },
        );
    }
  } finally {
    await scan.close();
  }
}
