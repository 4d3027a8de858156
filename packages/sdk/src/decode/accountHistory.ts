import type { RpcResult } from '../generated/methods.ts';
import type {
  AccountLiquidation,
  CausedPlace,
  TransferEntry,
  EndedOrder,
  HistoryFill,
  HistoryPage,
  SettledFunding,
} from '../types/accountHistory.ts';
import type { Hash, Hex, Side } from '../types/primitives.ts';
import { decodeOrder } from './order.ts';
import { toBigint, toBigintOrNull, toNumber } from './quantity.ts';

type Fills = RpcResult<'primeorders_getFills'>;
type Orders = RpcResult<'primeorders_getOrderHistory'>;
type Payments = RpcResult<'primeorders_getFunding'>;
type Transfers = RpcResult<'primeorders_getTransfers'>;
type Liquidations = RpcResult<'primeorders_getLiquidations'>;

interface WirePage {
  readonly next: Hex | null;
  readonly oldest_block: string;
  readonly oldest_ms: string;
}

const pageOf = <entry>({ next, oldest_block, oldest_ms }: WirePage, entries: readonly entry[]): HistoryPage<entry> => ({
  entries,
  next,
  oldestBlock: toBigint(oldest_block),
  oldestMs: toNumber(oldest_ms),
});

const causedPlace = (wire: {
  readonly transaction_hash: Hash | null;
  readonly event_index: string;
  readonly block_number: string;
  readonly time_ms: string;
}): CausedPlace => ({
  transactionHash: wire.transaction_hash,
  eventIndex: toNumber(wire.event_index),
  blockNumber: toBigint(wire.block_number),
  timeMs: toNumber(wire.time_ms),
});

const toNumberOrNull = (hex: string | null): number | null => (hex === null ? null : toNumber(hex));

const decodeFill = (wire: Fills['fills'][number]): HistoryFill => ({
  tradeId: toNumberOrNull(wire.trade_id),
  orderId: toNumberOrNull(wire.order_id),
  marketId: wire.market_id,
  side: wire.side as Side,
  price: toBigintOrNull(wire.price),
  size: toBigint(wire.size),
  value: toBigint(wire.value),
  fee: toBigint(wire.fees),
  liquidity: wire.liquidity as HistoryFill['liquidity'],
  kind: wire.kind as HistoryFill['kind'],
  ...causedPlace(wire),
});

/** From wire form; a field of the wire that says `fees` is `fee`, as in streams. */
export const decodeFills = (wire: Fills): HistoryPage<HistoryFill> => pageOf(wire, wire.fills.map(decodeFill));

/** From wire form: orders as `getOrder` has them, with the time of their end. */
export const decodeOrderHistory = (wire: Orders): HistoryPage<EndedOrder> =>
  pageOf(
    wire,
    wire.orders.map((order) => ({
      ...decodeOrder(order),
      closedBlock: toBigint(order.closed_block),
      timeMs: toNumber(order.time_ms),
    })),
  );

/** From wire form; amounts that were paid are negative. */
export const decodeFunding = (wire: Payments): HistoryPage<SettledFunding> =>
  pageOf(
    wire,
    wire.payments.map((payment) => ({
      marketId: payment.market_id,
      size: toBigint(payment.size),
      amount: toBigint(payment.amount),
      index: toBigint(payment.index),
      ...causedPlace(payment),
    })),
  );

/** From wire form. */
export const decodeTransfers = (wire: Transfers): HistoryPage<TransferEntry> =>
  pageOf(
    wire,
    wire.transfers.map((transfer) => ({
      kind: transfer.kind as TransferEntry['kind'],
      amount: toBigint(transfer.amount),
      change: toBigint(transfer.change),
      collateral: toBigintOrNull(transfer.collateral),
      from: transfer.from,
      to: transfer.to,
      transferId: toNumberOrNull(transfer.transfer_id),
      direction: transfer.direction as TransferEntry['direction'],
      reason: transfer.reason,
      ...causedPlace(transfer),
    })),
  );

/** From wire form; what a kind has not is null. */
export const decodeLiquidations = (wire: Liquidations): HistoryPage<AccountLiquidation> =>
  pageOf(
    wire,
    wire.liquidations.map((entry) => ({
      kind: entry.kind as AccountLiquidation['kind'],
      marketId: entry.market_id,
      orderId: toNumberOrNull(entry.order_id),
      size: toBigintOrNull(entry.size),
      value: toBigintOrNull(entry.value),
      fee: toBigintOrNull(entry.fee),
      insurancePaid: toBigintOrNull(entry.insurance_paid),
      counterparty: entry.counterparty,
      amount: toBigintOrNull(entry.amount),
      ...causedPlace(entry),
    })),
  );
