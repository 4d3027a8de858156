import type { ActionPayload } from '@prime/codec';
import { orderNamed, ordersOf, refusedCancel } from '../fields.ts';
import type { ModelHost } from '../matching.ts';
import { endOf } from '../state.ts';

type Cancel = Extract<ActionPayload, { type: 'cancel' | 'cancelByClientId' | 'cancelAll' }>;

/** Takes out orders for their owner, where the state of their market lets him. */
export function ownCancel(host: ModelHost, account: string, payload: Cancel): unknown {
  const { state } = host;
  if (payload.type === 'cancel') {
    const order = state.orders.get(payload.orderId);
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
    return order === undefined ? 'CLOB_UNKNOWN_CLIENT_ID' : host.cancel(order, 'user');
  }
  const own = ordersOf(state, account, marketId).filter(({ market }) => refusedCancel(state, market) === null);
  for (const order of own) host.cancel(order, 'user');
  return { type: 'cancelAll', orderIds: own.map(({ id }) => id) };
}
