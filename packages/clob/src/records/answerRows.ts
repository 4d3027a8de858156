import {
  type ActionResult,
  type CancelReason,
  framesOf,
  orderEnds,
  orderStatuses,
  type RlpBackwards,
  type TradeValue,
  writeCancelResult,
  writeOrderBegin,
  writeOrderEnd,
} from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import { type EventRow, product, row, writeResultTraded } from './eventRows.ts';
import type { Market } from '../state/markets.ts';

/** How answers that are rows of a block's log are told: as objects, and encoded. What their numbers are is told where blockLog.ts writes them. */

/** Numbers of an answer. */
export const answerNumbers = 8;

/** One answer in the columns that it shares with others. */
export interface AnswerRow {
  readonly market: Market;
  readonly numbers: Float64Array;
  /** Place of the row's first number. */
  readonly place: number;
}

/** The events of the log, by their places. */
export interface EventRows {
  /** One of {@link row}. */
  kindAt(at: number): number;
  eventRow(at: number): EventRow;
  /** What the taker paid for a trade, wei. */
  takerFee(at: number): number;
}

/** An answer as an object. @param trades of the order */
export function answerOf({ market, numbers, place }: AnswerRow, trades: () => TradeValue[]): ActionResult {
  const { id: marketId, lotSize } = market;
  const orderId = numbers[place]! as OrderId;
  const status = numbers[place + 3]!;
  const remaining = BigInt(numbers[place + 2]!) * lotSize;
  if (status < 0) return { ok: true, value: { type: 'cancel', orderId, remaining } };
  return {
    ok: true,
    value: {
      type: 'order',
      orderId,
      marketId,
      filled: BigInt(numbers[place + 1]!) * lotSize,
      remaining,
      trades: trades(),
      status: orderStatuses[status]!,
      decremented: 0n,
      reason: (orderEnds[numbers[place + 7]!] as CancelReason | undefined) ?? null,
    },
  };
}

/** Whether the trades of an answer are rows: of those that are objects, numbers are too large for one. */
export function areRows({ numbers, place }: AnswerRow, events: EventRows): boolean {
  const isOrder = numbers[place + 3]! >= 0;
  if (isOrder)
    for (let at = numbers[place + 4]!; at < numbers[place + 5]!; at++)
      if (events.kindAt(at) === row.event) return false;
  return true;
}

/** Writes what encodeActionResult makes of {@link answerOf}, where all trades of the order are rows. */
export function writeAnswerRow(writer: RlpBackwards, { market, numbers, place }: AnswerRow, events: EventRows): void {
  const [orderId, status] = [numbers[place]!, numbers[place + 3]!];
  const remaining = product(numbers[place + 2]!, market.lotSize);
  if (status < 0) return writeCancelResult(writer, orderId, remaining);
  const begin = writer.length;
  // The first of the ends of orders is no reason.
  writeOrderEnd(writer, { status, reason: numbers[place + 7]! - 1 });
  const last = writer.length;
  for (let at = numbers[place + 5]! - 1; at >= numbers[place + 4]!; at--)
    if (events.kindAt(at) === row.traded) writeResultTraded(writer, events.eventRow(at), events.takerFee(at));
  writer.list(last);
  const filled = product(numbers[place + 1]!, market.lotSize);
  writeOrderBegin(writer, { orderId, marketId: market.id, filled, remaining }, begin);
}

/** What was written from the last item to the first, as frames. @param ends how much stood behind each item when it was begun; changed */
export function framesWritten(writer: RlpBackwards, ends: Float64Array): Uint8Array {
  const { length } = writer;
  for (let at = 0; at < ends.length; at++) ends[at] = length - ends[at]!;
  return framesOf(writer.view(length, length), ends);
}
