import type { MarketId } from '@prime/primitives';
import { decoder, encoder } from '../../encoding/messages.ts';
import { frameAt } from '../../outcomes/blockLists.ts';
import { placesOfKind } from '../../outcomes/eventFrames.ts';
import { eventFieldReader } from '../../outcomes/events.ts';
import { integer, nullable, quantity, struct } from '../../encoding/fieldCodecs.ts';
import { amount } from '../../encoding/protocolFields.ts';
import type { RecordWrite } from '../../outcomes/outcomeTypes.ts';
import { type MarketPrices, marketPricesIn } from './marketPrices.ts';
import { clobRecordKind, recordNumber } from '../recordKeys.ts';
import { type CandleInterval, candleStart } from './intervals.ts';

/**
 * What a market traded over a time, and where its mark and its index stood, as charts draw them (docs/adr/0162-candles.md, 0225-candles-of-mark-and-index.md).
 * Block times decide, so that all nodes have the same ones.
 */

/** First, highest, lowest and last value of a price over a time, wei for one base unit. */
export interface Ohlc {
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
}

/** What trades came to, from the first to the last. */
export interface TradedValues extends Ohlc {
  /** Base units. */
  readonly volume: bigint;
  /** Wei: the sum of price times size. */
  readonly quoteVolume: bigint;
  readonly trades: number;
}

/** What a candle sums up. Mark and index begin with the value from before it, and are null where the market has none. */
export interface CandleValues {
  /** null where nothing was traded. */
  readonly traded: TradedValues | null;
  readonly mark: Ohlc | null;
  readonly index: Ohlc | null;
}

/** What happened at or after `openTimeMs` and before the next candle of its interval: trades, or another mark or index. */
export interface Candle extends CandleValues {
  /** Milliseconds since the epoch, a multiple of the interval. */
  readonly openTimeMs: number;
}

/** Which candles of a market are wanted. */
export interface CandleRange {
  readonly marketId: MarketId;
  readonly interval: CandleInterval;
  /** Begins of the first and of the last candle, ms: multiples of the interval. */
  readonly fromMs: number;
  readonly toMs: number;
}

const mergeOhlc = (earlier: Ohlc, later: Ohlc): Ohlc => ({
  open: earlier.open,
  high: earlier.high > later.high ? earlier.high : later.high,
  low: earlier.low < later.low ? earlier.low : later.low,
  close: later.close,
});
/** What trades came to, the earlier ones first. Field by field: a spread costs as much as the rest of a market's candle. */
export const mergeTraded = (earlier: TradedValues, later: TradedValues): TradedValues => ({
  open: earlier.open,
  high: earlier.high > later.high ? earlier.high : later.high,
  low: earlier.low < later.low ? earlier.low : later.low,
  close: later.close,
  volume: earlier.volume + later.volume,
  quoteVolume: earlier.quoteVolume + later.quoteVolume,
  trades: earlier.trades + later.trades,
});

/** One where there is only one. */
const both = <T>(earlier: T | null, later: T | null, merge: (earlier: T, later: T) => T): T | null =>
  earlier === null ? later : later === null ? earlier : merge(earlier, later);

/** What candles sum up together, the earlier one first. */
export const mergeCandles = (earlier: CandleValues, later: CandleValues): CandleValues => ({
  traded: both(earlier.traded, later.traded, mergeTraded),
  mark: both(earlier.mark, later.mark, mergeOhlc),
  index: both(earlier.index, later.index, mergeOhlc),
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
function tradedIn(events: Uint8Array): ReadonlyMap<MarketId, TradedValues> {
  const traded = new Map<MarketId, { -readonly [Name in keyof TradedValues]: TradedValues[Name] }>();
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

const flat = (price: bigint | null): Ohlc | null =>
  price === null ? null : { open: price, high: price, low: price, close: price };

/** A price over the time of a block, which began with what it was before. */
function moved(before: bigint | null, after: bigint | null): Ohlc | null {
  if (before === null || after === null) return flat(after);
  return before < after
    ? { open: before, high: after, low: before, close: after }
    : { open: before, high: before, low: after, close: after };
}

/** What a block left, as far as candles are made of it. */
export interface CandleSource {
  /** Of the block, encoded: see eventFrames.ts. */
  readonly events: Uint8Array;
  /** What it wrote of the order book. */
  readonly records: readonly RecordWrite[];
}

/**
 * What a block did to the candles of each market that traded, or whose mark or index it moved.
 *
 * @param pricesBefore of a market, as they were before the block
 * @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`
 */
export function candlesOfBlock(
  { events, records }: CandleSource,
  pricesBefore: (marketId: MarketId) => MarketPrices,
): ReadonlyMap<MarketId, CandleValues> {
  const traded = tradedIn(events);
  const found = new Map<MarketId, CandleValues>();
  for (const { key, value } of records) {
    if (key[0] !== clobRecordKind.market || value === null) continue;
    const marketId = recordNumber(key) as MarketId;
    const before = pricesBefore(marketId);
    const after = marketPricesIn(value);
    const own = traded.get(marketId) ?? null;
    if (own === null && before.mark === after.mark && before.index === after.index) continue;
    found.set(marketId, {
      traded: own,
      mark: moved(before.mark, after.mark),
      index: moved(before.index, after.index),
    });
  }
  // A trade at the price of the last one may leave the market's record as it was.
  for (const [marketId, own] of traded) {
    if (found.has(marketId)) continue;
    const { mark, index } = pricesBefore(marketId);
    found.set(marketId, { traded: own, mark: flat(mark), index: flat(index) });
  }
  return found;
}

/** Sums have room for more than any network can trade: a candle never stands in the way of a block. */
const sum = quantity(512);
const ohlcFields = { open: amount, high: amount, low: amount, close: amount } as const;
const candleCodec = struct({
  traded: nullable(struct({ ...ohlcFields, volume: sum, quoteVolume: sum, trades: integer() })),
  mark: nullable(struct(ohlcFields)),
  index: nullable(struct(ohlcFields)),
});

/** Storage form: the values without the time, which is in the key. */
export const encodeCandle = encoder<CandleValues>(candleCodec, 'candle');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeCandle = decoder<CandleValues>(candleCodec, 'candle');
