import { type ActionPayload, batchItemsMax } from '@prime/codec';
import { type Address, toMarketId, toOrderId } from '@prime/primitives';
import type { FlowOrder } from '../flow/flow.ts';
import type { Intent, PlainAction, TradingIntent } from './intents.ts';
import type { ReplayIds } from './replayIds.ts';

/** What of a target network an intent needs to become an action. */
export interface PayloadContext {
  readonly ids: ReplayIds;
  address(account: number): Address;
  /** Id on the target of a market of the flow. */
  market(market: number): number;
  /** Whether cancels have to run in their place among the actions of a block, and not before them. */
  readonly keepsPlace: boolean;
}

/** An order whose id at the target has to be known: an action names it by nothing else. */
export interface OrderName {
  readonly owner: Address;
  readonly clientId: string;
}

/** Actions that carry an intent out. */
export interface Draft {
  /** Empty where client ids say all. */
  readonly names: readonly OrderName[];
  /** The most actions that it makes. */
  readonly count: number;
  /** @param idOf id of an order of {@link names}, null where the target has none any more; then what names it is left out */
  payloads(idOf: (name: OrderName) => number | null): ActionPayload[];
}

const ready = (payload: ActionPayload): Draft => ({ names: [], count: 1, payloads: () => [payload] });

/** How an intent becomes actions. Items that do not fit into one batch follow in another. */
export function draftOf(intent: Exclude<Intent, { readonly does: 'transaction' }>, context: PayloadContext): Draft {
  if (intent.does === 'plain') return ready(plainPayload(intent.action, context));
  const items = intent.does === 'batch' ? intent.items : [intent];
  const names = items.flatMap((item) => (item.does === 'shrink' ? [nameOf(item, context)] : []));
  return {
    names,
    count: Math.ceil(items.length / batchItems),
    payloads(idOf) {
      const payloads = items.flatMap((item) => tradingPayload(item, context, idOf) ?? []);
      return intent.does === 'batch' ? batches(payloads, context) : payloads.map((one) => inPlace(one, context));
    },
  };
}

const nameOf = (
  { account, ref }: Pick<TradingIntent & { readonly ref: string }, 'account' | 'ref'>,
  context: PayloadContext,
): OrderName => ({
  owner: context.address(account),
  clientId: context.ids.clientId(ref),
});

function tradingPayload(
  intent: TradingIntent,
  context: PayloadContext,
  idOf: (name: OrderName) => number | null,
): ActionPayload | null {
  const { ids } = context;
  switch (intent.does) {
    case 'order':
      return orderPayload(intent.order, ids.clientId(intent.ref), context);
    case 'cancel':
      return {
        type: 'cancelByClientId',
        marketId: toMarketId(context.market(intent.market)),
        clientId: ids.clientId(intent.ref),
      };
    case 'cancelAll':
      return { type: 'cancelAll', marketId: intent.market === null ? null : toMarketId(context.market(intent.market)) };
    default: {
      const id = idOf(nameOf(intent, context));
      if (id === null) return null;
      return { type: 'modify', orderId: toOrderId(id), price: BigInt(intent.price), size: BigInt(intent.size) };
    }
  }
}

const orderPayload = (order: FlowOrder, clientId: string, context: PayloadContext): ActionPayload => ({
  type: 'order',
  marketId: toMarketId(context.market(order.market)),
  side: order.side,
  price: BigInt(order.price),
  size: BigInt(order.size),
  tif: order.tif,
  postOnly: order.postOnly,
  reduceOnly: order.reduceOnly,
  selfTrade: order.selfTrade,
  clientId,
  expiresAt: 0,
});

/** Says nothing, and is refused inside of a batch; a batch with it is none of cancels alone, which would run before everything else in its block. */
const noop: ActionPayload = { type: 'noop' };

const isCancel = ({ type }: ActionPayload): boolean => type === 'cancelByClientId' || type === 'cancelAll';

function inPlace(payload: ActionPayload, { keepsPlace }: PayloadContext): ActionPayload {
  return keepsPlace && isCancel(payload) ? { type: 'batch', items: [payload, noop] } : payload;
}

/** One place of a batch is left for {@link noop}. */
const batchItems = batchItemsMax - 1;

function batches(payloads: readonly ActionPayload[], { keepsPlace }: PayloadContext): ActionPayload[] {
  const made: ActionPayload[] = [];
  for (let from = 0; from < payloads.length; from += batchItems) {
    const items = payloads.slice(from, from + batchItems);
    made.push({ type: 'batch', items: keepsPlace && items.every(isCancel) ? [...items, noop] : items });
  }
  return made;
}

function plainPayload(action: PlainAction, { address }: PayloadContext): ActionPayload {
  switch (action.type) {
    case 'deposit':
      return { type: 'deposit', amount: BigInt(action.amount) };
    case 'withdraw':
    case 'transfer':
    case 'enqueueEvmToOrders':
      return { type: action.type, amount: BigInt(action.amount), to: address(action.to) };
    case 'approveAgent':
      // For as long as it takes: the times of the flow are over.
      return {
        type: 'approveAgent',
        agent: address(action.agent),
        expiry: 0,
        permissions: action.permissions,
        name: action.name,
      };
    case 'revokeAgent':
      return { type: 'revokeAgent', agent: address(action.agent) };
    default:
      return action;
  }
}
