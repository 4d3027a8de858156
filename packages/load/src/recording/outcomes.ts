import type { TimeInForce } from '@prime/codec';
import { malformedAnswer } from '../errors.ts';
import { numberOf, quantityOf, textOf } from './answers.ts';
import { type FlowFate, type FlowOrder, type FlowOutcome, type OrderRef, orderRefOf } from './flow/flow.ts';
import type { LiveOrders } from './liveOrders.ts';
import type { EventFacts } from './networkBlocks.ts';

/** What a line's events say. */
export interface LineEvents {
  readonly events: readonly EventFacts[];
  /** Number of the line. */
  readonly line: number;
  readonly orders: LiveOrders;
  account(address: string): number;
  /** Name of an order that the line places, by the id that the network gave it. */
  refOf(id: number): OrderRef;
  /** Of which item of a batch an order came; null for a line that is no batch. */
  itemOf(id: number): number | null;
}

/** Accounts that events name, so that they are introduced before the line that tells of them. */
export function accountsOf(events: readonly EventFacts[]): string[] {
  const names: string[] = [];
  for (const { kind, data } of events)
    for (const name of kind === 'trade'
      ? ['taker', 'maker']
      : ['order_cancelled', 'order_reduced'].includes(kind)
        ? ['owner']
        : [])
      names.push(textOf(data, name));
  return names;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type Fate = Mutable<FlowFate>;

/** An order that the line places. */
interface Placed {
  readonly id: number;
  readonly order: FlowOrder;
  ended: string | null;
}

/** What came of a line, out of its events, in their order; the live orders move with it. */
export class OutcomeReader {
  readonly #of: LineEvents;
  readonly #placed = new Map<number, Placed>();
  readonly #takers = new Map<number, NonNullable<FlowOutcome['takers']>[number]>();
  readonly #fills: NonNullable<FlowOutcome['fills']> = [];
  readonly #removed: NonNullable<FlowOutcome['removed']> = [];
  readonly #reduced: NonNullable<FlowOutcome['reduced']> = [];
  /** The order that came last: what is not its owner's wish happens to what it meets. */
  #newest: OrderRef | null = null;
  #refused: string | null = null;

  constructor(of: LineEvents) {
    this.#of = of;
    for (const event of of.events) this.#take(event);
  }

  /** Orders that the line placed, with what they ask for. */
  get orders(): readonly FlowOrder[] {
    return [...this.#placed.values()].map(({ order }) => order);
  }

  /**
   * @param refusals  of the items of a batch, null for those that were carried out; null for a line that is no batch
   * @param isReplaced whether the order that came stands in the place of another one: what it asks for is told
   */
  outcome(refusals: readonly (string | null)[] | null, isReplaced: (item: number | null) => boolean): FlowOutcome {
    const fates = refusals?.map((refused): Fate => (refused === null ? {} : { refused })) ?? null;
    const own: Fate = this.#refused === null ? {} : { refused: this.#refused };
    for (const placed of this.#placed.values()) {
      const item = this.#of.itemOf(placed.id);
      const fate = item === null || fates === null ? own : fates[item]!;
      const { remaining } = this.#of.orders.get(placed.id) ?? { remaining: 0n };
      if (placed.ended !== null) fate.ended = placed.ended;
      else if (remaining > 0n) fate.rests = `${remaining}`;
      if (isReplaced(item)) fate.placed = placed.order;
    }
    return {
      ...own,
      ...(fates !== null && { items: fates }),
      ...(this.#fills.length > 0 && { fills: this.#fills }),
      ...(this.#removed.length > 0 && { removed: this.#removed }),
      ...(this.#reduced.length > 0 && { reduced: this.#reduced }),
      ...(this.#takers.size > 0 && { takers: [...this.#takers.values()] }),
    };
  }

  #take({ kind, data }: EventFacts): void {
    switch (kind) {
      case 'action_rejected':
        this.#refused = textOf(data, 'reason');
        break;
      case 'order_accepted':
        this.#accept(data);
        break;
      case 'trade':
        this.#trade(data);
        break;
      case 'order_reduced':
        this.#reduce(data);
        break;
      case 'order_cancelled':
        this.#cancel(numberOf(data, 'order_id'), data);
        break;
      default:
    }
  }

  #accept(data: EventFacts['data']): void {
    const id = numberOf(data, 'order_id');
    const clientId = data['client_id'];
    const order: FlowOrder = {
      market: numberOf(data, 'market_id'),
      side: textOf(data, 'side') as FlowOrder['side'],
      price: `${quantityOf(data, 'price')}`,
      size: `${quantityOf(data, 'size')}`,
      tif: textOf(data, 'tif') as TimeInForce,
      postOnly: data['post_only'] === true,
      reduceOnly: data['reduce_only'] === true,
      selfTrade: textOf(data, 'stp') as FlowOrder['selfTrade'],
      ...(typeof clientId === 'string' && { clientId }),
    };
    this.#placed.set(id, { id, order, ended: null });
    const owner = textOf(data, 'owner');
    const { market, price, size } = order;
    this.#newest = this.#of.refOf(id);
    this.#of.orders.add(id, { ref: this.#newest, market, owner, price, remaining: BigInt(size) });
  }

  #reduce(data: EventFacts['data']): void {
    const { orders, account } = this.#of;
    const id = numberOf(data, 'order_id');
    const [order, remaining] = [orders.get(id), quantityOf(data, 'remaining')];
    orders.reduce(id, remaining);
    if (order === undefined || this.#newest === null || this.#placed.has(id)) return;
    if (data['by'] !== 'decrement' || remaining === 0n) return;
    const { ref, market, owner, price } = order;
    this.#reduced.push({ order: ref, account: account(owner), market, price, rests: `${remaining}`, by: this.#newest });
  }

  #trade(data: EventFacts['data']): void {
    const { orders } = this.#of;
    const [makerId, takerId] = [numberOf(data, 'maker_order_id'), numberOf(data, 'taker_order_id')];
    const maker = orders.get(makerId) ?? malformedAnswer(`a trade with order ${makerId}, which is not in the book`);
    const market = numberOf(data, 'market_id');
    const size = quantityOf(data, 'size');
    const taker = this.#placed.has(takerId) ? this.#of.refOf(takerId) : this.#taker(takerId, market, data);
    this.#fills.push({ market, price: `${quantityOf(data, 'price')}`, size: `${size}`, maker: maker.ref, taker });
    orders.fill(makerId, size);
    orders.fill(takerId, size);
  }

  /** A position in liquidation trades under an order id that no event introduces. */
  #taker(id: number, market: number, data: EventFacts['data']): OrderRef {
    const known = this.#takers.get(id);
    if (known !== undefined) return known.order;
    const order = orderRefOf(this.#of.line, this.#takers.size);
    const side = textOf(data, 'side') as FlowOrder['side'];
    this.#takers.set(id, { order, account: this.#of.account(textOf(data, 'taker')), market, side });
    return order;
  }

  #cancel(id: number, data: EventFacts['data']): void {
    const { orders } = this.#of;
    const reason = textOf(data, 'reason');
    const placed = this.#placed.get(id);
    const order = orders.get(id);
    if (placed !== undefined) placed.ended = reason;
    else if (order !== undefined) {
      const { ref, market, owner } = order;
      const by = this.#newest !== null && reason !== 'user' ? { by: this.#newest } : {};
      this.#removed.push({ order: ref, account: this.#of.account(owner), market, reason, ...by });
    }
    orders.end(id);
  }
}
