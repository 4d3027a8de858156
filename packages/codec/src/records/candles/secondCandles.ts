import type { MarketId } from '@prime/primitives';
import { RlpBackwards } from '../../encoding/rlpBackwards.ts';
import { RlpCursor } from '../../encoding/rlpCursor.ts';
import type { CandleValues, Ohlc, TradedValues } from './candles.ts';

/**
 * Candles of all markets over a second, in one value. Each block of the second writes it anew, so it is written and read without making a tree of items.
 *
 * `rlp([[market, traded, mark, index], …])`, ascending by market. What was traded is `[open, high, low, close, volume, quote volume, trades]`, or an empty list.
 * Mark and index over the second are lists too: empty for none, one value where it stood still, first and last where these are the lowest and the highest, else
 * open, high, low and close.
 */

function writeTraded(writer: RlpBackwards, traded: TradedValues | null): void {
  const place = writer.length;
  if (traded !== null) {
    const { open, high, low, close, volume, quoteVolume, trades } = traded;
    writer.number(trades);
    for (const value of [quoteVolume, volume, close, low, high, open]) writer.bigint(value);
  }
  writer.list(place);
}

function readTraded(cursor: RlpCursor): TradedValues | null {
  const end = cursor.list();
  if (cursor.at >= end) return null;
  return {
    open: cursor.bigint(),
    high: cursor.bigint(),
    low: cursor.bigint(),
    close: cursor.bigint(),
    volume: cursor.bigint(),
    quoteVolume: cursor.bigint(),
    trades: cursor.number(),
  };
}

function writeOhlc(writer: RlpBackwards, prices: Ohlc | null): void {
  const place = writer.length;
  if (prices !== null) {
    const { open, high, low, close } = prices;
    const isStraight = (high === open || high === close) && (low === open || low === close);
    if (!isStraight) {
      writer.bigint(close);
      writer.bigint(low);
      writer.bigint(high);
    } else if (open !== close) writer.bigint(close);
    writer.bigint(open);
  }
  writer.list(place);
}

function readOhlc(cursor: RlpCursor): Ohlc | null {
  const end = cursor.list();
  if (cursor.at >= end) return null;
  const open = cursor.bigint();
  if (cursor.at >= end) return { open, high: open, low: open, close: open };
  const next = cursor.bigint();
  if (cursor.at < end) return { open, high: next, low: cursor.bigint(), close: cursor.bigint() };
  return open < next ? { open, high: next, low: open, close: next } : { open, high: open, low: next, close: next };
}

const readEntry = (cursor: RlpCursor): CandleValues => ({
  traded: readTraded(cursor),
  mark: readOhlc(cursor),
  index: readOhlc(cursor),
});

/** Values below 2^440, which no sum of a second reaches. */
export function encodeSecondCandles(candles: ReadonlyMap<MarketId, CandleValues>): Uint8Array {
  const writer = new RlpBackwards(128 * (candles.size + 1));
  const descending = [...candles].sort(([a], [b]) => b - a);
  for (const [marketId, { traded, mark, index }] of descending) {
    const place = writer.length;
    writeOhlc(writer, index);
    writeOhlc(writer, mark);
    writeTraded(writer, traded);
    writer.number(marketId);
    writer.list(place);
  }
  writer.list(0);
  return writer.view(writer.length, writer.length).slice();
}

/** All of them, by market ascending. For bytes that this program encoded. @throws CodecError `CODEC_RLP_MALFORMED` */
export function decodeSecondCandles(bytes: Uint8Array): Map<MarketId, CandleValues> {
  const cursor = new RlpCursor(bytes);
  const end = cursor.list();
  const candles = new Map<MarketId, CandleValues>();
  while (cursor.at < end) {
    cursor.list();
    const marketId = cursor.number() as MarketId;
    candles.set(marketId, readEntry(cursor));
  }
  return candles;
}

/** That of one market; null where nothing happened in it. For bytes that this program encoded. @throws CodecError `CODEC_RLP_MALFORMED` */
export function secondCandleOf(bytes: Uint8Array, marketId: MarketId): CandleValues | null {
  const cursor = new RlpCursor(bytes);
  const end = cursor.list();
  while (cursor.at < end) {
    const next = cursor.list();
    const id = cursor.number();
    if (id === marketId) return readEntry(cursor);
    // Ascending: it would have come by now.
    if (id > marketId) return null;
    cursor.moveTo(next);
  }
  return null;
}
