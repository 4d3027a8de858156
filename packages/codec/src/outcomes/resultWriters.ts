import type { RlpBackwards } from '../encoding/rlpBackwards.ts';
import { resultTypeCode } from './actionResults.ts';
import { tradeFields, type TradeParts } from './eventWriters.ts';

/**
 * The results that a busy block has thousands of, written without making values for them first. The bytes are those of encodeActionResult, which a
 * property test compares; ranges are the caller's, who holds the parts as state already.
 *
 * An order's result is written in three steps, last first: {@link writeOrderEnd}, each of its trades by {@link writeResultTrade} from the last one on
 * with the header of their list, {@link writeOrderBegin}.
 */

/** How an order stands after its action. */
export interface OrderResultEnd {
  /** Place of the word in the protocol's list. */
  status: number;
  /** Why it ended: place in cancelReasons; negative where it rests or is filled. */
  reason: number;
}

/** Of the order itself. Sizes are base units. */
export interface OrderResultBegin {
  orderId: number;
  marketId: number;
  filled: number | bigint;
  remaining: number | bigint;
}

/** Writes what stands behind the trades of an order of which self-trade prevention took nothing. */
export function writeOrderEnd(writer: RlpBackwards, { status, reason }: Readonly<OrderResultEnd>): void {
  if (reason < 0) writer.byte(noReason);
  else writer.number(reason + 1);
  writer.number(decremented);
  writer.number(status);
}
/** The empty list. */
const noReason = 0xc0;
const decremented = 0;

/** Writes one trade of an order's result. */
export function writeResultTrade(writer: RlpBackwards, parts: Readonly<TradeParts>): void {
  const place = writer.length;
  tradeFields(writer, parts);
  writer.number(parts.tradeId);
  writer.list(place);
}

/** Writes what stands in front of the trades. @param place of the result, before {@link writeOrderEnd} */
export function writeOrderBegin(writer: RlpBackwards, parts: Readonly<OrderResultBegin>, place: number): void {
  writer.quantity(parts.remaining);
  writer.quantity(parts.filled);
  writer.number(parts.marketId);
  writer.number(parts.orderId);
  success(writer, resultTypeCode.order, place);
}

/** Writes the result of an order that was cancelled. @param remaining base units */
export function writeCancelResult(writer: RlpBackwards, orderId: number, remaining: number | bigint): void {
  const place = writer.length;
  writer.quantity(remaining);
  writer.number(orderId);
  success(writer, resultTypeCode.cancel, place);
}

/** Writes what every result of a success begins with. */
function success(writer: RlpBackwards, type: number, place: number): void {
  writer.number(type);
  writer.number(ok);
  writer.list(place);
}
const ok = 1;
