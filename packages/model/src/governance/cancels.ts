import type { ActionPayload, OrderFields } from '@prime/codec';
import { orderNamed, ordersOf, refusedCancel } from '../fields.ts';
import { shrinkTo } from '../reducing.ts';
import { endOf } from '../state.ts';
import { inPlaceOf } from '../brackets.ts';
import { changeTrigger, endTrigger, type TriggerHost, triggersOf } from '../triggers.ts';

type Cancel = Extract<ActionPayload, { type: 'cancel' | 'cancelByClientId' | 'cancelAll' }>;

/** Takes out orders for their owner, where the state of their market lets him. */
export function ownCancel(host: TriggerHost, account: string, payload: Cancel): unknown {
  const { state } = host;
  if (payload.type === 'cancel') {
    const order = state.orders.get(payload.orderId);
    const trigger = state.triggers.get(payload.orderId);
    if (trigger !== undefined) {
      if (trigger.owner !== account) return 'CLOB_NOT_OWNER';
      return refusedCancel(state, trigger.fields.marketId) ?? endTrigger(host, trigger, 'user');
    }
    if (order === undefined) return endOf(state, payload.orderId);
    if (order.owner !== account) return 'CLOB_NOT_OWNER';
    return refusedCancel(state, order.market) ?? host.cancel(order, 'user');
  }
  const { marketId } = payload;
  if (marketId !== null && state.markets[marketId - 1] === undefined) return 'CLOB_UNKNOWN_MARKET';
  const shut = marketId === null ? null : refusedCancel(state, marketId);
  if (shut !== null) return shut;
  if (payload.type === 'cancelByClientId') {
    const order = orderNamed(state, account, payload);
    if (order !== undefined) return host.cancel(order, 'user');
    const named = triggersOf(state, account, payload.marketId).find(
      ({ fields }) => fields.clientId === payload.clientId,
    );
    return named === undefined ? 'CLOB_UNKNOWN_CLIENT_ID' : endTrigger(host, named, 'user');
  }
  const own = ordersOf(state, account, marketId).filter(({ market }) => refusedCancel(state, market) === null);
  for (const order of own) host.cancel(order, 'user');
  const triggers = triggersOf(state, account, marketId).filter(
    ({ fields }) => refusedCancel(state, fields.marketId) === null,
  );
  for (const trigger of triggers) endTrigger(host, trigger, 'user');
  return { type: 'cancelAll', orderIds: [...own, ...triggers].map(({ id }) => id).sort((a, b) => a - b) };
}

/** Gives an order or a trigger another price and size. @param place takes a new order in */
export function modifyFor(
  host: TriggerHost,
  account: string,
  { orderId, price, size }: Extract<ActionPayload, { type: 'modify' }>,
  place: (fields: OrderFields) => unknown,
): unknown {
  const trigger = host.state.triggers.get(orderId);
  if (trigger !== undefined)
    return trigger.owner === account ? changeTrigger(host, trigger, price, size) : 'CLOB_NOT_OWNER';
  const order = host.state.orders.get(orderId);
  if (order === undefined) return endOf(host.state, orderId);
  if (order.owner !== account) return 'CLOB_NOT_OWNER';
  const shut = refusedCancel(host.state, order.market);
  if (shut !== null) return shut;
  const { lot } = host.state.markets[order.market - 1]!;
  if (price === order.price && size > 0n && size <= order.remaining && size % lot === 0n) {
    return shrinkTo(host, order, size);
  }
  return inPlaceOf(host, order, () => {
    host.cancel(order, 'user');
    return place({ ...order.fields, price, size, tif: 'gtc' });
  });
}
