import type { RpcOrderBook, RpcPriceLevel, RpcResult, RpcTrade } from '../generated/methods.ts';
import type {
  OpenOrder,
  Order,
  OrderBook,
  OrderEndReason,
  OrderStatus,
  PriceLevel,
  Trade,
  Trigger,
  TriggerKind,
} from '../types/order.ts';
import type { Side, TimeInForce } from '../types/primitives.ts';
import { toBigint, toNumber } from './quantity.ts';

type WireOpenOrder = RpcResult<'primeorders_getOpenOrders'>[number];
type WireOrder = NonNullable<RpcResult<'primeorders_getOrder'>>;

/** From wire form, price and size in the smallest units. */
export const decodeTrade = (wire: RpcTrade): Trade => ({
  tradeId: toNumber(wire.trade_id),
  price: toBigint(wire.price),
  size: toBigint(wire.size),
  makerOrderId: toNumber(wire.maker_order_id),
  takerOrderId: toNumber(wire.taker_order_id),
  maker: wire.maker,
  taker: wire.taker,
  side: wire.side as Side,
  fee: toBigint(wire.fee),
});

/** From wire form, also of an order that is not open any more. */
export const decodeOpenOrder = (wire: WireOpenOrder | WireOrder): OpenOrder => ({
  orderId: toNumber(wire.order_id),
  marketId: wire.market_id,
  owner: wire.owner,
  side: wire.side as Side,
  price: toBigint(wire.price),
  size: toBigint(wire.size),
  filled: toBigint(wire.filled),
  remaining: toBigint(wire.remaining),
  tif: wire.tif as TimeInForce,
  clientId: wire.client_id,
  createdBlock: toBigint(wire.created_block),
  expiresAtSeconds: toNumber(wire.expires_at),
});

/** What waits for a mark. */
export const decodeTrigger = (wire: WireOpenOrder): Trigger => {
  const { orderId, marketId, owner, side, price, size, tif, clientId, createdBlock, expiresAtSeconds } =
    decodeOpenOrder(wire);
  return {
    orderId,
    marketId,
    owner,
    side,
    kind: wire.kind as TriggerKind,
    triggerPrice: toBigint(wire.trigger_price!),
    limitPrice: price === 0n ? null : price,
    size: wire.position === true ? 'position' : size,
    tif,
    reduceOnly: wire.reduce_only,
    clientId,
    createdBlock,
    expiresAtSeconds,
    group: wire.group ?? 0,
    isQueued: wire.due === true,
    parentOrderId: wire.parent_order_id === undefined ? null : toNumber(wire.parent_order_id),
    isAsleep: wire.asleep === true,
  };
};

/** From wire form; fields that only ended orders have are null or 0 for the others. */
export const decodeOrder = (wire: WireOrder): Order => ({
  ...decodeOpenOrder(wire),
  status: wire.status as OrderStatus,
  decremented: wire.decremented === undefined ? 0n : toBigint(wire.decremented),
  reason: (wire.reason ?? null) as OrderEndReason | null,
  closedBlock: wire.closed_block === undefined ? null : toBigint(wire.closed_block),
  ...(wire.kind === undefined
    ? {}
    : {
        trigger: {
          kind: wire.kind as TriggerKind,
          triggerPrice: toBigint(wire.trigger_price!),
          parentOrderId: wire.parent_order_id === undefined ? null : toNumber(wire.parent_order_id),
        },
      }),
});

/** From wire form, price and size in the smallest units. */
export const decodePriceLevel = ({ price, size }: RpcPriceLevel): PriceLevel => ({
  price: toBigint(price),
  size: toBigint(size),
});

/** Both sides best first, where the wire has both ascending. */
export const decodeOrderBook = ({ bids, asks }: RpcOrderBook): OrderBook => ({
  bids: bids.map(decodePriceLevel).reverse(),
  asks: asks.map(decodePriceLevel),
});
