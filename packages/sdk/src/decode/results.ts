import { refusalOf } from '../errors/refusal.ts';
import type { RpcResult, RpcTrade } from '../generated/methods.ts';
import type { OrderEndReason, OrderStatus } from '../types/order.ts';
import type { Hash, TransferDirection } from '../types/primitives.ts';
import type {
  BatchItemResult,
  BatchResult,
  Deposit,
  DequeuedTransfers,
  Inclusion,
  Liquidation,
  PlacedOrder,
  QueuedTransfer,
} from '../types/results.ts';
import { decodeTrade } from './order.ts';
import { toBigint, toNumber } from './quantity.ts';

/** What primeorders_ and primebridge_ calls answer, as the results of the actions that they stand for. */

type WirePlaced = Omit<RpcResult<'primeorders_submitOrder'>, 'block_number' | 'hash'>;

/** From wire form: the order with the trades of its own block. */
export const decodePlacedOrder = (wire: WirePlaced): PlacedOrder => ({
  type: 'order',
  orderId: toNumber(wire.order_id),
  marketId: wire.market_id,
  status: wire.status as OrderStatus,
  filled: toBigint(wire.filled),
  remaining: toBigint(wire.remaining),
  decremented: toBigint(wire.decremented),
  reason: wire.reason as OrderEndReason | null,
  trades: wire.trades.map((trade: RpcTrade) => decodeTrade(trade)),
});

/** Which action it was, and which block holds it. */
export const decodeInclusion = (wire: { readonly hash: Hash; readonly block_number: string }): Inclusion => ({
  hash: wire.hash,
  blockNumber: toBigint(wire.block_number),
});

interface WireItem {
  readonly error?: { readonly message: string; readonly data: Readonly<Record<string, unknown>> };
  readonly cancelled_orders?: readonly string[];
  readonly trades?: unknown;
  readonly order_id?: string;
  readonly remaining?: string;
}

function decodeItem(wire: WireItem, hash: Hash): BatchItemResult {
  if (wire.error !== undefined) {
    const { message, data } = wire.error;
    return { ok: false, error: refusalOf({ kind: String(data['kind']), message, data, hash }) };
  }
  if (wire.cancelled_orders !== undefined)
    return { ok: true, type: 'cancelAll', orderIds: wire.cancelled_orders.map(toNumber) };
  if (wire.trades !== undefined) return { ok: true, ...decodePlacedOrder(wire as WirePlaced) };
  return { ok: true, type: 'cancel', orderId: toNumber(wire.order_id!), remaining: toBigint(wire.remaining!) };
}

/** From wire form; a refused item becomes an error value and is not thrown. */
export const decodeBatch = (wire: RpcResult<'primeorders_batch'>): BatchResult => ({
  type: 'batch',
  results: wire.results.map((item) => decodeItem(item as WireItem, wire.hash)),
});

/** From wire form, amounts in wei. */
export const decodeDeposit = (wire: RpcResult<'primeorders_depositCollateral'>): Deposit => ({
  type: 'deposit',
  address: wire.address,
  amount: toBigint(wire.amount),
  collateral: toBigint(wire.collateral),
});

/** From wire form, of transfers in both directions. */
export const decodeQueued = (wire: RpcResult<'primebridge_enqueueOrdersToEvm'>): QueuedTransfer => ({
  type: 'transferQueued',
  transferId: toNumber(wire.transfer_id),
  direction: wire.direction as TransferDirection,
  from: wire.from,
  to: wire.to,
  amount: toBigint(wire.amount),
});

/** From wire form, of transfers in both directions. */
export const decodeDequeued = (wire: RpcResult<'primebridge_dequeueOrdersToEvm'>): DequeuedTransfers => ({
  type: 'dequeued',
  processed: wire.processed.map(({ transfer_id, from, to, amount, status, reason }) => ({
    transferId: toNumber(transfer_id),
    from,
    to,
    amount: toBigint(amount),
    status,
    reason,
  })),
  pending: toNumber(wire.pending),
});

/** From wire form, positions in the order in which they were closed. */
export const decodeLiquidation = (wire: RpcResult<'primeorders_liquidate'>): Liquidation => ({
  type: 'liquidate',
  address: wire.address,
  positions: wire.positions.map((position) => ({
    marketId: position.market_id,
    size: toBigint(position.size),
    closed: toBigint(position.closed),
    trades: position.trades.map(decodeTrade),
    fee: toBigint(position.fee),
    insurancePaid: toBigint(position.insurance_paid),
    adl: position.adl.map(({ address, size, value }) => ({ address, size: toBigint(size), value: toBigint(value) })),
    remaining: toBigint(position.remaining),
  })),
  cancelledOrders: wire.cancelled_orders.map(toNumber),
  collateral: toBigint(wire.collateral),
  badDebt: toBigint(wire.bad_debt),
  reward: toBigint(wire.reward),
});
