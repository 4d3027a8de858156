import type { MarketId } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { frameAt } from '../outcomes/blockLists.ts';
import { placesOfKind } from '../outcomes/eventFrames.ts';
import { eventFieldReader } from '../outcomes/events.ts';
import { integer, quantity, struct } from '../encoding/fieldCodecs.ts';
import { amount } from '../encoding/protocolFields.ts';

/** Trades of a market over a time, as charts draw them (docs/adr/0162-candles.md). Block times decide, so that all nodes have the same ones. */

/** What a candle sums up, by the time from its first trade to its last. */
export interface CandleValues {
  /** Wei for one base unit. */
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  /** Base units. */
  readonly volume: bigint;
  /** Wei: the sum of price times size. */
  readonly quoteVolume: bigint;
  readonly trades: number;
}

/** The trades at or after `openTimeMs` and before the next candle of its interval. */
export interface Candle extends CandleValues {
  /** Milliseconds since the epoch, a multiple of the interval. */
  readonly openTimeMs: number;
}

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

/** Which candles of a market are wanted. */
export interface CandleRange {
  readonly marketId: MarketId;
  readonly interval: CandleInterval;
  /** Begins of the first and of the last candle, ms: multiples of the interval. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Begin of the candle of an interval that holds a time. */
export const candleStart = (timeMs: number, intervalMs: number): number => timeMs - (timeMs % intervalMs);

/** What the trades of a market came to, the earlier ones first. */
export const mergeCandles = (earlier: CandleValues, later: CandleValues): CandleValues => ({
  open: earlier.open,
  high: earlier.high > later.high ? earlier.high : later.high,
  low: earlier.low < later.low ? earlier.low : later.low,
  close: later.close,
  volume: earlier.volume + later.volume,
  quoteVolume: earlier.quoteVolume + later.quoteVolume,
  trades: earlier.trades + later.trades,
});

/** Candles of longer intervals made of shorter ones, both ascending by time. @param intervalMs a multiple of theirs */
export function joinCandles(candles: Iterable<Candle>, intervalMs: number): Candle[] {
  const joined: Candle[] = [];
  for (const candle of candles) {
    const openTimeMs = candleStart(candle.openTimeMs, intervalMs);
    const last = joined.at(-1);
    if (last?.openTimeMs === openTimeMs) joined[joined.length - 1] = { openTimeMs, ...mergeCandles(last, candle) };
    else joined.push({ ...candle, openTimeMs });
  }
  return joined;
}

/**
 * What a block traded in each market, in the order of their first trades.
 *
 * @param events of the block, encoded: see eventFrames.ts
 * @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`
 */
export function tradedIn(events: Uint8Array): ReadonlyMap<MarketId, CandleValues> {
  const traded = new Map<MarketId, { -readonly [Name in keyof CandleValues]: CandleValues[Name] }>();
  for (const place of placesOfKind(events, 'trade')) {
    const [market, price, volume] = tradeFields(frameAt(events, place)) as [MarketId, bigint, bigint];
    const quoteVolume = price * volume;
    const known = traded.get(market);
    if (known === undefined) {
      traded.set(market, { open: price, high: price, low: price, close: price, volume, quoteVolume, trades: 1 });
      continue;
    }
    if (price > known.high) known.high = price;
    if (price < known.low) known.low = price;
    known.close = price;
    known.volume += volume;
    known.quoteVolume += quoteVolume;
    known.trades++;
  }
  return traded;
}

/** Nothing else of a trade is decoded: blocks have thousands. */
const tradeFields = eventFieldReader('trade', ['market_id', 'price', 'size']);

/** Sums have room for more than any network can trade: a candle never stands in the way of a block. */
const sum = quantity(512);
const candleCodec = struct({
  open: amount,
  high: amount,
  low: amount,
  close: amount,
  volume: sum,
  quoteVolume: sum,
  trades: integer(),
});

/** Storage form: the values without the time, which is in the key. */
export const encodeCandle = encoder<CandleValues>(candleCodec, 'candle');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeCandle = decoder<CandleValues>(candleCodec, 'candle');
