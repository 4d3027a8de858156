import { eventTable } from './eventTable.ts';
import type { RlpBackwards } from '../encoding/rlpBackwards.ts';
import { clientIdField, orderFields, type OrderParts } from '../records/orderParts.ts';

/**
 * The events that a busy block has thousands of, written without making values for them first. The bytes are those of encodeEvent, which a property test
 * compares; ranges are the caller's, who holds the parts as state already.
 */

/** What every event of the order book tells. */
interface EventParts {
  /** Null where no action caused it. */
  actionIndex: number | null;
  marketId: number;
}

/** Of `order_accepted`. */
export interface AcceptedEventParts extends EventParts, OrderParts {
  /** Place of the word in the protocol's list. */
  tif: number;
  isPostOnly: boolean;
  /** Place of the mode in the protocol's list. */
  selfTrade: number;
}

/** What events and results say of a trade. Addresses are 20 bytes. */
export interface TradeParts {
  tradeId: number;
  price: number | bigint;
  size: number | bigint;
  makerOrderId: number;
  takerOrderId: number;
  maker: Uint8Array;
  taker: Uint8Array;
  /** Of the taker: 0 buys, 1 sells. */
  side: number;
  /** Wei; negative is paid to the taker. */
  fees: number;
}

/** Of `trade`. */
export interface TradeEventParts extends EventParts, TradeParts {}

/** Of the fees of one trade, all in wei: what both sides paid, and who got it. */
export interface FeesEventParts extends EventParts {
  tradeId: number;
  maker: Uint8Array;
  taker: Uint8Array;
  takerFee: number;
  /** Wei; negative is paid to the maker. */
  makerFee: number;
  insurance: number;
  treasury: number;
}

/** Of an order that left before it was filled. `remaining` is base units. */
export interface CancelledEventParts extends EventParts {
  orderId: number;
  owner: Uint8Array;
  remaining: number | bigint;
  /** The word, of ASCII characters, 2 at least. */
  reason: string;
}

/** Writes `order_accepted`, of an order that is not reduce-only and never expires. */
export function writeAcceptedEvent(writer: RlpBackwards, parts: Readonly<AcceptedEventParts>): void {
  const place = writer.length;
  writer.number(expiresAt);
  writer.number(parts.selfTrade);
  writer.number(isReduceOnly);
  writer.number(parts.isPostOnly ? 1 : 0);
  clientIdField(writer, parts.clientId);
  writer.number(parts.tif);
  orderFields(writer, parts);
  end(writer, eventTable.order_accepted.code, parts, place);
}
const [expiresAt, isReduceOnly] = [0, 0];

/** Writes the fields that a trade ends with, from its fees to its price. */
export function tradeFields(writer: RlpBackwards, parts: Readonly<TradeParts>): void {
  writer.signed(parts.fees);
  writer.number(parts.side);
  writer.shortString(parts.taker);
  writer.shortString(parts.maker);
  writer.number(parts.takerOrderId);
  writer.number(parts.makerOrderId);
  writer.quantity(parts.size);
  writer.quantity(parts.price);
}

/** Writes `trade`. */
export function writeTradeEvent(writer: RlpBackwards, parts: Readonly<TradeEventParts>): void {
  const place = writer.length;
  tradeFields(writer, parts);
  writer.number(parts.marketId);
  writer.number(parts.tradeId);
  end(writer, eventTable.trade.code, parts, place);
}

/** Writes `trade_fees`. */
export function writeFeesEvent(writer: RlpBackwards, parts: Readonly<FeesEventParts>): void {
  const place = writer.length;
  writer.number(parts.treasury);
  writer.signed(parts.insurance);
  writer.signed(parts.makerFee);
  writer.shortString(parts.maker);
  writer.number(parts.takerFee);
  writer.shortString(parts.taker);
  writer.number(parts.marketId);
  writer.number(parts.tradeId);
  end(writer, eventTable.trade_fees.code, parts, place);
}

/** Writes `order_cancelled`. */
export function writeCancelledEvent(writer: RlpBackwards, parts: Readonly<CancelledEventParts>): void {
  const place = writer.length;
  writer.ascii(parts.reason);
  writer.quantity(parts.remaining);
  writer.shortString(parts.owner);
  writer.number(parts.marketId);
  writer.number(parts.orderId);
  end(writer, eventTable.order_cancelled.code, parts, place);
}

/** Writes what every event begins with. */
function end(writer: RlpBackwards, code: number, { actionIndex }: Readonly<EventParts>, place: number): void {
  if (actionIndex === null) writer.byte(noOrigin);
  else writer.number(actionIndex);
  writer.number(code);
  writer.list(place);
}
/** The empty list. */
const noOrigin = 0xc0;
