import type { GlobalRecord, MarginParams, MarketRecord } from './clobRecords.ts';
import { marketStatuses } from '../genesis/marketStatuses.ts';
import type { RlpBackwards } from '../encoding/rlpBackwards.ts';
import { clientIdField, orderFields, type OrderParts } from './orderParts.ts';

/**
 * The records that a busy block has thousands of, written without making values for them first. The bytes are those of
 * encodeOrderRecord, encodeClosedOrdersRecord, encodeAccountRecord, encodeMarketRecord and encodeGlobalRecord, which a property test compares; ranges are the caller's, who holds
 * them as state already.
 */

/** A resting order as an order book holds it. */
export interface OrderRecordParts extends OrderParts {
  remaining: number | bigint;
  isPostOnly: boolean;
  isReduceOnly: boolean;
  /** Place of the mode in the protocol's list. */
  selfTrade: number;
  expiresAt: number;
  createdBlock: number;
}

/** An order that is gone, as an order book remembers it. */
export interface ClosedOrderParts extends OrderParts {
  /** Place of the word in the protocol's list. */
  tif: number;
  /** Place of the word in orderEnds. */
  end: number;
  filled: number | bigint;
  remaining: number | bigint;
  createdBlock: number;
  expiresAt: number;
  /** Place of its kind in the protocol's list, and the price that it waited for; null where it was no trigger. */
  trigger: { readonly kind: number; readonly triggerPrice: bigint } | null;
}

/** Writes the value of the global record of a network without funding. */
export function writeGlobalRecord(writer: RlpBackwards, record: Omit<GlobalRecord, 'funding'>): void {
  const place = writer.length;
  marginField(writer, record.defaultMargin);
  writer.bigint(record.totalWithdrawals);
  writer.bigint(record.totalDeposits);
  writer.bigint(record.insurance);
  writer.number(record.nextTransferId);
  writer.number(record.nextMarketId);
  writer.number(record.nextTradeId);
  writer.number(record.nextOrderId);
  writer.list(place);
}

/** Writes the value of the record of a market without risk tiers, funding, limits, profit pool and debt. Its symbol is one that markets can have: of ASCII characters, 3 at least. */
export function writeMarketRecord(
  writer: RlpBackwards,
  marketId: number,
  market: Omit<MarketRecord, 'marketId' | 'riskTiers' | 'funding' | 'limits' | 'profitPool' | 'debt'>,
): void {
  const place = writer.length;
  writer.number(market.tradeBlocks);
  writer.number(marketStatuses.indexOf(market.status));
  if (market.margin === null) writer.byte(absent);
  else marginField(writer, market.margin);
  priceField(writer, market.markPrice);
  priceField(writer, market.lastPrice);
  writer.number(market.quoteDecimals);
  writer.number(market.baseDecimals);
  writer.bigint(market.lotSize);
  writer.bigint(market.tickSize);
  writer.ascii(market.symbol);
  writer.number(marketId);
  writer.list(place);
}
/** The empty list. */
const absent = 0xc0;

/** Writes the value of an order's record. A resting order is gtc. */
export function writeOrderRecord(writer: RlpBackwards, parts: Readonly<OrderRecordParts>): void {
  const place = writer.length;
  writer.number(parts.createdBlock);
  writer.number(parts.expiresAt);
  clientIdField(writer, parts.clientId);
  writer.number(parts.selfTrade);
  writer.number(parts.isReduceOnly ? 1 : 0);
  writer.number(parts.isPostOnly ? 1 : 0);
  writer.number(gtc);
  writer.quantity(parts.remaining);
  orderFields(writer, parts);
  writer.list(place);
}
/** Number of the word. */
const gtc = 0;

/** Writes one entry of the record of closed orders; entries come last first, then {@link endClosedOrders}. */
export function writeClosedOrder(writer: RlpBackwards, parts: Readonly<ClosedOrderParts>): void {
  const place = writer.length;
  if (parts.trigger !== null) {
    writer.bigint(parts.trigger.triggerPrice);
    writer.number(parts.trigger.kind);
    writer.list(place);
  }
  writer.number(parts.expiresAt);
  writer.number(parts.createdBlock);
  clientIdField(writer, parts.clientId);
  writer.quantity(parts.remaining);
  writer.quantity(parts.filled);
  writer.number(parts.end);
  writer.number(parts.tif);
  orderFields(writer, parts);
  writer.list(place);
}

/** Completes the record. @param place of the writer before the last entry */
export function endClosedOrders(writer: RlpBackwards, height: number, place: number): void {
  writer.list(place);
  writer.number(height);
  writer.list(place);
}

/** Writes one position of an account's record; positions come last first, then {@link endAccount}. @param size negative is short */
export function writePosition(
  writer: RlpBackwards,
  marketId: number,
  size: number | bigint,
  entry: number | bigint,
  fundingIndex: bigint,
): void {
  const place = writer.length;
  if (fundingIndex !== 0n) writer.signed(fundingIndex);
  writer.quantity(entry);
  writer.signed(size);
  writer.number(marketId);
  writer.list(place);
}

/** Writes one claim of an account's record; claims come last first, then {@link endClaims}. */
export function writeClaim(writer: RlpBackwards, marketId: number, amount: number | bigint): void {
  const place = writer.length;
  writer.signed(amount);
  writer.number(marketId);
  writer.list(place);
}

/** Completes the claims of an account. @param place of the writer before the last claim @param hasOwner whether a sub-account's owner comes next */
export function endClaims(writer: RlpBackwards, place: number, hasOwner: boolean): void {
  writer.list(place);
  if (!hasOwner) writer.byte(absent);
}

/** Writes whose sub-account an account is; before its positions. @param owner 20 bytes */
export function writeSubAccount(writer: RlpBackwards, owner: Uint8Array, index: number): void {
  const place = writer.length;
  writer.number(index);
  writer.shortString(owner);
  writer.list(place);
}

/**
 * Completes the record.
 *
 * @param collateral wei
 * @param place of the writer before the last position
 * @param begin of the writer before the record
 */
export function endAccount(
  writer: RlpBackwards,
  owner: Uint8Array,
  collateral: bigint,
  isLocked: boolean,
  place: number,
  begin: number,
): void {
  writer.list(place);
  writer.number(isLocked ? 1 : 0);
  writer.signed(collateral);
  writer.shortString(owner);
  writer.list(begin);
}

function marginField(writer: RlpBackwards, { initialMarginBps, maintenanceMarginBps }: MarginParams): void {
  const place = writer.length;
  writer.number(maintenanceMarginBps);
  writer.number(initialMarginBps);
  writer.list(place);
}

function priceField(writer: RlpBackwards, price: bigint | null): void {
  if (price === null) writer.byte(absent);
  else writer.bigint(price);
}
