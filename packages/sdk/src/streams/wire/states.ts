import { decodeAccount } from '../../decode/account.ts';
import { decodeCandle, decodeTicker } from '../../decode/candle.ts';
import type { RpcCandle, RpcResult, RpcTicker } from '../../generated/methods.ts';
import { PrimeSdkError } from '../../errors/base.ts';
import type { Candle } from '../../types/market.ts';
import type { PriceLevel } from '../../types/order.ts';
import type { Hash } from '../../types/primitives.ts';
import { malformed } from '../errors.ts';
import type { BestPrices, BlockPosition, BookOrder, StreamedMargin, StreamedTicker } from '../types.ts';
import { type Json, orNull, toAmount, toHex, toList, toNumber, toObject, toWord } from './fields.ts';
import { blockPosition } from './position.ts';

/** Messages of how something stands, in the SDK's words. All throw StreamError `STREAM_MESSAGE_MALFORMED`. */

/** A message of a book stream; both sides ascend by price, as on the wire. */
export interface MessageOf<entry> extends BlockPosition {
  readonly type: 'snapshot' | 'update';
  readonly marketId: number;
  readonly sequence: number;
  /** null of a snapshot. */
  readonly previousSequence: number | null;
  /** Of a snapshot: which part it is, from 1 on, and how many there are; null of an update. */
  readonly part: { readonly at: number; readonly count: number } | null;
  readonly bids: readonly entry[];
  readonly asks: readonly entry[];
  readonly checksum: Hash;
}

/** Of the `orderBook` stream. */
export interface BookMessage extends MessageOf<PriceLevel> {}
/** Of the `bookOrders` stream; at one price the oldest order is first. */
export interface BookOrdersMessage extends MessageOf<BookOrder> {}

function readLevel(value: unknown, name: string): PriceLevel {
  const level = toObject(value, name);
  return { price: toAmount(level['price'], 'price'), size: toAmount(level['size'], 'size') };
}

const readBookOrder = (value: unknown, name: string): BookOrder => ({
  orderId: toNumber(toObject(value, name)['order_id'], 'order_id'),
  ...readLevel(value, name),
});

function readSide<entry>(
  json: Json,
  side: 'bids' | 'asks',
  read: (value: unknown, name: string) => entry,
  follows: (entry: entry, before: entry) => boolean,
): readonly entry[] {
  const entries = toList(json[side], side).map((entry) => read(entry, `an entry of ${side}`));
  const unordered = entries.findIndex((entry, index) => index > 0 && !follows(entry, entries[index - 1]!));
  if (unordered >= 0) throw malformed(`${side} do not ascend at level ${unordered}`);
  return entries;
}

function readMessage<entry>(
  value: unknown,
  read: (value: unknown, name: string) => entry,
  follows: (entry: entry, before: entry) => boolean,
): MessageOf<entry> {
  const json = toObject(value, 'a book');
  const type = toWord(['snapshot', 'update'] as const, json['type'], 'type');
  return {
    ...blockPosition(json),
    type,
    marketId: toNumber(json['market_id'], 'market_id'),
    sequence: toNumber(json['sequence'], 'sequence'),
    previousSequence: type === 'update' ? toNumber(json['previous_sequence'], 'previous_sequence') : null,
    part: type === 'snapshot' ? { at: toNumber(json['part'], 'part'), count: toNumber(json['parts'], 'parts') } : null,
    bids: readSide(json, 'bids', read, follows),
    asks: readSide(json, 'asks', read, follows),
    checksum: toHex(json['checksum'], 'checksum'),
  };
}

/**
 * A book or a part of it, or the levels of it that changed; a snapshot has no sequence before it.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export const readBookMessage = (value: unknown): BookMessage =>
  readMessage(value, readLevel, ({ price }, before) => price > before.price);

/**
 * The same of a book order by order.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export const readBookOrdersMessage = (value: unknown): BookOrdersMessage =>
  readMessage(
    value,
    readBookOrder,
    (order, before) => order.price > before.price || (order.price === before.price && order.orderId > before.orderId),
  );

/**
 * Best bid and best ask of a market.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readBestPrices(value: unknown): BestPrices {
  const json = toObject(value, 'best prices');
  return {
    ...blockPosition(json),
    marketId: toNumber(json['market_id'], 'market_id'),
    bid: orNull(readLevel)(json['best_bid'], 'best_bid'),
    ask: orNull(readLevel)(json['best_ask'], 'best_ask'),
  };
}

/** Decodes what a method of the same shape answers. */
function decoded<wire, value>(json: unknown, name: string, decode: (wire: wire) => value): value {
  const wire = toObject(json, name);
  try {
    return decode(wire as wire);
  } catch (thrown) {
    // What is no object where one has to be is a TypeError.
    if (thrown instanceof PrimeSdkError || thrown instanceof TypeError)
      throw malformed(`${name}: ${thrown.message.split('\n')[0]!}`);
    throw thrown;
  }
}

/**
 * A ticker as `primeorders_getTickers` has it.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readTicker(value: unknown): StreamedTicker {
  const json = toObject(value, 'a ticker message');
  return { ...blockPosition(json), ...decoded(json['ticker'], 'a ticker', (wire: RpcTicker) => decodeTicker(wire)) };
}

type WireAccount = RpcResult<'primeorders_getAccount'>;

/**
 * An account as `primeorders_getAccount` has it.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readMargin(value: unknown): StreamedMargin {
  const json = toObject(value, 'an account message');
  const account = decoded(json['account'], 'an account', (wire: WireAccount) => decodeAccount(wire));
  return { ...blockPosition(json), ...account };
}

/**
 * A candle as it was after a block.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export const readCandle = (value: unknown): Candle =>
  decoded(toObject(value, 'a candle message')['candle'], 'a candle', (wire: RpcCandle) => decodeCandle(wire));

/**
 * Candles as `primeorders_getCandles` answers them.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export const readCandles = (value: unknown): readonly Candle[] =>
  toList(value, 'candles').map((entry) => decoded(entry, 'a candle', (wire: RpcCandle) => decodeCandle(wire)));
