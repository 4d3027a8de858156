import {
  orderEnds,
  type RlpBackwards,
  type TradeEventParts,
  writeAcceptedEvent,
  writeCancelledEvent,
  writeFeesEvent,
  writeResultTrade,
  writeTradeEvent,
} from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import type { Market } from '../state/markets.ts';

/** How rows of a block's log are encoded as events; what their numbers are is told where blockLog.ts writes them. */

/** Kinds of rows; an event is an object, and no row. */
export const row = { event: 0, accepted: 1, traded: 2, cancelled: 3, charged: 4 } as const;

/** One row of a log in the columns that it shares with others, and what its numbers name. */
export interface EventRow {
  /** Negative where no action caused it. */
  readonly actionIndex: number;
  readonly market: Market;
  readonly accounts: readonly Account[];
  readonly numbers: Float64Array;
  /** Place of the row's first number. */
  readonly from: number;
}

/** `order_accepted` */
export function writeAccepted(writer: RlpBackwards, row: EventRow, clientId: string | null): void {
  const { numbers, from, market } = row;
  writeAcceptedEvent(writer, {
    actionIndex: actionOf(row),
    marketId: market.id,
    orderId: numbers[from]!,
    owner: bytesOf(row, 6),
    side: numbers[from + 3]!,
    price: product(numbers[from + 1]!, market.tickSize),
    size: product(numbers[from + 2]!, market.lotSize),
    tif: numbers[from + 4]!,
    clientId,
    isPostOnly: (numbers[from + 5]! & 1) !== 0,
    selfTrade: numbers[from + 5]! >> 1,
  });
}

/** `order_cancelled` */
export function writeCancelled(writer: RlpBackwards, row: EventRow): void {
  const { numbers, from, market } = row;
  writeCancelledEvent(writer, {
    actionIndex: actionOf(row),
    marketId: market.id,
    orderId: numbers[from]!,
    owner: bytesOf(row, 6),
    remaining: product(numbers[from + 2]!, market.lotSize),
    reason: orderEnds[numbers[from + 3]!]!,
  });
}

/** `trade` @param fees of the taker, wei */
export const writeTraded = (writer: RlpBackwards, row: EventRow, fees: number): void =>
  writeTradeEvent(writer, tradeOf(row, fees));

/** A trade in the result of its taker's order. @param fees of the taker, wei */
export const writeResultTraded = (writer: RlpBackwards, row: EventRow, fees: number): void =>
  writeResultTrade(writer, tradeOf(row, fees));

function tradeOf(row: EventRow, fees: number): TradeEventParts {
  const { numbers, from, market } = row;
  return {
    actionIndex: actionOf(row),
    marketId: market.id,
    tradeId: numbers[from]!,
    price: product(numbers[from + 1]!, market.tickSize),
    size: product(numbers[from + 2]!, market.lotSize),
    makerOrderId: numbers[from + 4]!,
    takerOrderId: numbers[from + 5]!,
    maker: bytesOf(row, 6),
    taker: bytesOf(row, 7),
    side: numbers[from + 3]!,
    fees,
  };
}

/** `trade_fees` */
export function writeCharged(writer: RlpBackwards, row: EventRow): void {
  const { numbers, from, market } = row;
  writeFeesEvent(writer, {
    actionIndex: actionOf(row),
    marketId: market.id,
    tradeId: numbers[from]!,
    taker: bytesOf(row, 7),
    takerFee: numbers[from + 1]!,
    maker: bytesOf(row, 6),
    makerFee: numbers[from + 2]!,
    insurance: numbers[from + 3]!,
    treasury: numbers[from + 4]!,
  });
}

const actionOf = ({ actionIndex }: EventRow): number | null => (actionIndex < 0 ? null : actionIndex);
const bytesOf = ({ accounts, numbers, from }: EventRow, number: number): Uint8Array =>
  accounts[numbers[from + number]!]!.addressBytes;

/** A number where it is exact. */
export function product(count: number, unit: bigint): number | bigint {
  const value = count * Number(unit);
  return value <= Number.MAX_SAFE_INTEGER ? value : BigInt(count) * unit;
}
