import type { ActionPayload, OrderFields } from '@prime/codec';
import type { FlowAction, FlowOrder, FlowTradingAction } from './flow/flow.ts';
import type { LiveOrders } from './liveOrders.ts';

/** What an action needs of the record to be told in terms of it. */
export interface ActionContext {
  readonly orders: LiveOrders;
  account(address: string): number;
  /** Network's id of the order that a cancel by client id took out; null when it was refused, or waited. */
  readonly cancelled: number | null;
}

/** An action in terms that other accounts can sign: orders by the lines that placed them, accounts by their index. */
export function flowAction(payload: ActionPayload, context: ActionContext): FlowAction {
  const { account } = context;
  switch (payload.type) {
    case 'order':
    case 'cancel':
    case 'cancelByClientId':
    case 'cancelAll':
    case 'modify':
      return flowTradingAction(payload, context);
    case 'deposit':
      return { type: 'deposit', amount: `${payload.amount}` };
    case 'withdraw':
    case 'transfer':
    case 'enqueueEvmToOrders':
      return { type: payload.type, amount: `${payload.amount}`, to: account(payload.to) };
    case 'bridgeDequeue':
      return { type: 'bridgeDequeue', direction: payload.direction, max: payload.max };
    case 'approveAgent':
      return {
        type: 'approveAgent',
        agent: account(payload.agent),
        permissions: payload.permissions,
        name: payload.name,
      };
    case 'revokeAgent':
      return { type: 'revokeAgent', agent: account(payload.agent) };
    case 'liquidate':
      return { type: 'liquidate', of: account(payload.address) };
    case 'noop':
    case 'lockAccount':
      return { type: payload.type };
    default:
      return { type: 'other', name: payload.type };
  }
}

type TradingPayload = Extract<
  ActionPayload,
  { readonly type: 'order' | 'cancel' | 'cancelByClientId' | 'cancelAll' | 'modify' }
>;

/** Whether an action places, changes or ends orders. */
export const isTrading = (payload: ActionPayload): payload is TradingPayload =>
  ['order', 'cancel', 'cancelByClientId', 'cancelAll', 'modify'].includes(payload.type);

/** A trading action in the words of a flow. An order that the flow does not know is null. */
export function flowTradingAction(payload: TradingPayload, { orders, cancelled }: ActionContext): FlowTradingAction {
  switch (payload.type) {
    case 'order':
      return { type: 'order', ...flowOrder(payload) };
    case 'cancelAll':
      return { type: 'cancelAll', market: payload.marketId };
    case 'modify':
      return {
        type: 'modify',
        order: orders.get(payload.orderId)?.ref ?? null,
        price: `${payload.price}`,
        size: `${payload.size}`,
      };
    default: {
      const named = payload.type === 'cancel' ? payload.orderId : cancelled;
      const known = named === null ? undefined : orders.get(named);
      return { type: 'cancel', order: known?.ref ?? null, market: known?.market ?? null };
    }
  }
}

/** Without the expiry, which is in the flow as what it did. */
const flowOrder = (order: Omit<OrderFields, 'expiresAt'>): FlowOrder => ({
  market: order.marketId,
  side: order.side,
  price: `${order.price}`,
  size: `${order.size}`,
  tif: order.tif,
  postOnly: order.postOnly,
  reduceOnly: order.reduceOnly,
  selfTrade: order.selfTrade,
  ...(order.clientId !== null && { clientId: order.clientId }),
});
