import type { ActionPayload } from '@prime/codec';
import type { ModelAction } from '@prime/model';
import type { parseFlow } from '@prime/load';
import type { MarketId, OrderId } from '@prime/primitives';
import { toClientId } from '@prime/sdk';
import { modelAddress } from '../simulation/modelMarket.ts';

/** A line of a recorded flow (docs/reference/flow.md). */
export type FlowLine = ReturnType<typeof parseFlow> extends AsyncGenerator<infer line> ? line : never;
/** Lines of a recorded flow with this `kind`. */
export type FlowLineOf<kind extends FlowLine['kind']> = Extract<FlowLine, { readonly kind: kind }>;
type FlowAction = FlowLineOf<'action'>['action'];
type FlowItem = Extract<FlowAction, { readonly type: 'batch' }>['items'][number];

/** An action of the flow for the model, and the references of the orders that it places, by item. */
export interface FlowStep {
  readonly action: ModelAction;
  readonly places: readonly (string | null)[];
}

/** Accounts of the flow in the model: behind the bot's. */
const flowAccount = (account: number) => modelAddress(account + 1);

/** Which order of the model stands for which one of the flow. Client ids are references, so that cancels find orders of their own block. */
export class FlowOrders {
  readonly #ids = new Map<string, number>();
  readonly #markets = new Map<string, number>();

  /** What a line does to the book; what was refused when it was recorded, and what does nothing to it, is left out. */
  stepsOf(line: FlowLineOf<'earlier' | 'action' | 'contract' | 'network'>): FlowStep[] {
    const reference = `${line.line}`;
    if (line.kind === 'earlier') {
      this.#markets.set(reference, line.order.market);
      const order = { ...line.order, type: 'order', tif: 'gtc', postOnly: false, reduceOnly: false } as const;
      return [this.#step(line.account, [{ ...order, selfTrade: 'cancel_maker' }], [reference])];
    }
    // Margin, expiry and liquidation go by what a backtest does not have: their cancels are repeated.
    const removed = (line.outcome.removed ?? []).filter(({ by }) => by === undefined);
    const cancels = line.kind === 'network' ? removed.map(({ order, account }) => this.#cancel(account, order)) : [];
    if (line.kind === 'network' || line.action === null || line.outcome.refused !== undefined) return cancels;
    const { action } = line;
    if (action.type === 'batch') {
      const fates = line.outcome.items ?? [];
      const kept = action.items.map((item, at) => ({ item, at })).filter(({ at }) => fates[at]?.refused === undefined);
      return [
        this.#step(
          line.account,
          kept.map(({ item }) => item),
          kept.map(({ at }) => `${reference}.${at}`),
        ),
      ];
    }
    return isTrading(action) ? [this.#step(line.account, [action], [reference])] : [];
  }

  /** Remembers which orders came to be. @param result of the step in the model */
  learn({ places }: FlowStep, result: unknown): void {
    if (typeof result === 'string') return;
    const { results = [] } = result as { readonly results?: readonly unknown[] };
    for (const [at, each] of results.entries()) {
      const place = places[at];
      if (typeof each === 'string' || place == null) continue;
      const { type, id } = each as { readonly type: string; readonly id: number };
      if (type === 'order') this.#ids.set(place, id);
    }
  }

  #step(account: number, items: readonly FlowItem[], references: readonly string[]): FlowStep {
    const batch = items.map((item, at) => this.#payload(item, references[at]!));
    const payload: ActionPayload = { type: 'batch', items: batch };
    // A modify may give its order a new id, and goes on by the old name.
    const places = items.map((item, at) => (item.type === 'modify' ? item.order : references[at]!));
    return { action: { account: flowAccount(account), payload }, places };
  }

  #cancel(account: number, order: string): FlowStep {
    const payload: ActionPayload = { type: 'batch', items: [this.#cancelOf(order)] };
    return { action: { account: flowAccount(account), payload }, places: [] };
  }

  #cancelOf(order: string | null): ActionPayload {
    const market = order === null ? undefined : this.#markets.get(order);
    return order === null || market === undefined
      ? { type: 'cancel', orderId: nobodysOrder }
      : { type: 'cancelByClientId', marketId: market as MarketId, clientId: clientIdOf(order) };
  }

  #payload(item: FlowItem, reference: string): ActionPayload {
    switch (item.type) {
      case 'cancel':
        return this.#cancelOf(item.order);
      case 'cancelAll':
        return { type: 'cancelAll', marketId: item.market as MarketId | null };
      case 'modify':
        return { type: 'modify', orderId: this.#id(item.order), price: BigInt(item.price), size: BigInt(item.size) };
      case 'order': {
        const { type, market, side, price, size, tif, postOnly, reduceOnly, selfTrade } = item;
        this.#markets.set(reference, market);
        const options = { side, tif, postOnly, reduceOnly, selfTrade, clientId: clientIdOf(reference), expiresAt: 0 };
        return { type, marketId: market as MarketId, price: BigInt(price), size: BigInt(size), ...options };
      }
    }
  }

  #id(reference: string | null): OrderId {
    return ((reference === null ? undefined : this.#ids.get(reference)) ?? nobodysOrder) as OrderId;
  }
}

/** What refers to an order that is not there is refused. */
const nobodysOrder = 0 as OrderId;
const clientIdOf = (reference: string): `0x${string}` => toClientId(reference);

const isTrading = (action: FlowAction): action is FlowItem =>
  ['order', 'cancel', 'cancelAll', 'modify'].includes(action.type);
