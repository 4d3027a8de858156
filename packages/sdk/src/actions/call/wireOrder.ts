import { toQuantity } from '../../decode/quantity.ts';
import { marketIdOf } from '../../decode/references.ts';
import type { RpcParameters } from '../../generated/methods.ts';
import type { BatchItem } from '../../types/action.ts';
import type { BracketLeg, OrderRequest, TriggerRequest } from '../../types/order.ts';

type WireOrder = Omit<RpcParameters<'primeorders_submitOrder'>[0], 'owner'>;
type WireTrigger = Omit<RpcParameters<'primeorders_placeTrigger'>[0], 'owner'>;
type WireItem = RpcParameters<'primeorders_batch'>[1][number];

/** An order as calls take it. One that does not say what it does with its own account's orders does what the network does. */
export function encodeOrder(order: OrderRequest): WireOrder {
  const { market, side, price, size, tif = 'gtc', postOnly, reduceOnly, selfTrade, clientId, expiresAtSeconds } = order;
  const { stop, takeProfit } = order;
  return {
    market_id: marketIdOf(market),
    side,
    price: toQuantity(price),
    size: toQuantity(size),
    tif,
    ...(postOnly === undefined ? {} : { post_only: postOnly }),
    ...(reduceOnly === undefined ? {} : { reduce_only: reduceOnly }),
    ...(selfTrade === undefined ? {} : { stp: selfTrade }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(expiresAtSeconds === undefined ? {} : { expires_at: expiresAtSeconds }),
    ...(stop === undefined ? {} : { stop: encodeLeg(stop) }),
    ...(takeProfit === undefined ? {} : { take_profit: encodeLeg(takeProfit) }),
  };
}

const encodeLeg = ({ triggerPrice, limitPrice }: BracketLeg) => ({
  trigger_price: toQuantity(triggerPrice),
  ...(limitPrice === undefined ? {} : { limit_price: toQuantity(limitPrice) }),
});

/** A trigger as calls take it. */
export function encodeTrigger(trigger: TriggerRequest): WireTrigger {
  const { market, side, kind, triggerPrice, limitPrice, size, tif, reduceOnly, selfTrade } = trigger;
  const { clientId, expiresAtSeconds, group } = trigger;
  return {
    market_id: marketIdOf(market),
    side,
    kind,
    trigger_price: toQuantity(triggerPrice),
    ...(size === 'position' ? { position: true } : { size: toQuantity(size) }),
    ...(limitPrice === undefined ? {} : { limit_price: toQuantity(limitPrice) }),
    ...(tif === undefined ? {} : { tif }),
    ...(reduceOnly === undefined ? {} : { reduce_only: reduceOnly }),
    ...(selfTrade === undefined ? {} : { stp: selfTrade }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(expiresAtSeconds === undefined ? {} : { expires_at: expiresAtSeconds }),
    ...(group === undefined ? {} : { group }),
  };
}

/** An item of a batch as calls take it; a market that is left out stands for all of them. */
export function encodeItem(item: BatchItem): WireItem {
  switch (item.type) {
    case 'order':
      return { type: 'order', ...encodeOrder(item) };
    case 'trigger':
      return { type: 'trigger', ...encodeTrigger(item) };
    case 'cancel':
      return { type: 'cancel', order_id: toQuantity(item.orderId) };
    case 'cancelByClientId':
      return { type: 'cancel_by_client_id', market_id: marketIdOf(item.market), client_id: item.clientId };
    case 'cancelAll':
      return { type: 'cancel_all', ...(item.market === undefined ? {} : { market_id: marketIdOf(item.market) }) };
    case 'modify':
      return {
        type: 'modify',
        order_id: toQuantity(item.orderId),
        price: toQuantity(item.price),
        size: toQuantity(item.size),
      };
  }
}
