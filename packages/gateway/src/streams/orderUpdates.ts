import type { OrderRecord, Side } from '@prime/codec';
import { type Address, bigintAbs, type MarketId, type OrderId } from '@prime/primitives';
import type { EventEntry, OrderUpdate } from '@prime/rpc';
import type { OrderChange } from '../readModel/books/bookChanges.ts';

type Described = Pick<OrderUpdate, 'marketId' | 'owner' | 'side' | 'price' | 'size' | 'tif' | 'clientId'>;

const fromRecord = (record: OrderRecord): Described => ({
  marketId: record.marketId,
  owner: record.owner,
  side: record.side,
  price: record.price,
  size: record.size,
  tif: record.tif,
  clientId: record.clientId,
});

const fromEvent = ({ data }: EventEntry): Described => ({
  marketId: data['market_id'] as MarketId,
  owner: data['owner'] as Address,
  side: data['side'] as string,
  price: data['price'] as bigint,
  size: data['size'] as bigint,
  tif: data['tif'] as string,
  clientId: data['client_id'] as string | null,
});

/** What the events of a block did to one order, base units. */
interface Tally {
  filled: bigint;
  reduced: bigint;
  decremented: bigint;
}
const nothing: Readonly<Tally> = { filled: 0n, reduced: 0n, decremented: 0n };

/** A block's events about orders. */
class OrderEvents {
  readonly accepted = new Map<number, EventEntry>();
  readonly cancelled = new Map<number, EventEntry>();
  /** Of both kinds, in their order. */
  readonly closings: EventEntry[] = [];
  readonly #tallies = new Map<number, Tally>();

  constructor(events: readonly EventEntry[]) {
    for (const event of events) this.#add(event);
  }

  /** What happened to an order; zeros for one that nothing did. */
  of(id: number): Readonly<Tally> {
    return this.#tallies.get(id) ?? nothing;
  }

  #add(event: EventEntry): void {
    const { kind, data } = event;
    const id = data['order_id'] as number;
    if (kind === 'order_accepted') this.accepted.set(id, event);
    else if (kind === 'order_cancelled') this.cancelled.set(id, event);
    else if (kind === 'liquidation' || kind === 'deleveraged') this.closings.push(event);
    else if (kind === 'order_reduced')
      this.#count(id, data['by'] === 'decrement' ? 'decremented' : 'reduced', data['amount'] as bigint);
    else if (kind === 'trade')
      for (const name of ['maker_order_id', 'taker_order_id'])
        this.#count(data[name] as number, 'filled', data['size'] as bigint);
  }

  #count(id: number, what: keyof Tally, amount: bigint): void {
    const tally = this.#tallies.get(id) ?? { ...nothing };
    tally[what] += amount;
    this.#tallies.set(id, tally);
  }
}

/**
 * What a block made of each order that it touched, by order id: one update per order, whatever happened to it in between; then of
 * positions that it closed by liquidation and deleveraging. Orders that never rested are known from their events, the others from their records.
 */
export function orderUpdates(
  events: readonly EventEntry[],
  changes: ReadonlyMap<OrderId, OrderChange>,
): readonly OrderUpdate[] {
  const told = new OrderEvents(events);
  const ids = new Set<number>([...changes.keys(), ...told.accepted.keys(), ...told.cancelled.keys()]);
  const updates: OrderUpdate[] = [];
  for (const orderId of [...ids].sort((a, b) => a - b)) {
    const update = updateOf(orderId, changes.get(orderId as OrderId) ?? noChange, told);
    if (update !== null) updates.push(update);
  }
  return [...updates, ...told.closings.flatMap((event) => closingUpdates(event, told))];
}

const noChange: OrderChange = { before: null, after: null };

function updateOf(orderId: number, { before, after }: OrderChange, told: OrderEvents): OrderUpdate | null {
  const { filled, reduced, decremented } = told.of(orderId);
  const common = { orderId, reduced, decremented, kind: 'order' } as const;
  if (after !== null) {
    const { size, remaining } = after;
    return { filled: size - remaining, remaining, status: 'open', reason: null, ...common, ...fromRecord(after) };
  }
  const event = told.accepted.get(orderId);
  const start = before !== null ? fromRecord(before) : event === undefined ? null : fromEvent(event);
  if (start === null) return null;
  // A resting order is as if it had been made for what is left of it; one that never rested was made for what it says.
  const size = start.size - reduced - (before === null ? 0n : decremented);
  const earlier = before === null ? 0n : before.size - before.remaining;
  const end = told.cancelled.get(orderId);
  return {
    filled: earlier + filled,
    remaining: (end?.data['remaining'] as bigint | undefined) ?? 0n,
    status: end === undefined ? 'filled' : 'cancelled',
    reason: (end?.data['reason'] as string | undefined) ?? null,
    ...common,
    ...start,
    size,
  };
}

/** Of a liquidation: what the book took. Of deleveraging: both accounts. */
function closingUpdates({ kind, data }: EventEntry, told: OrderEvents): OrderUpdate[] {
  const signed = data['size'] as bigint;
  const size = bigintAbs(signed);
  const orderId = data['order_id'] as number;
  const own: Side = signed > 0n ? 'sell' : 'buy';
  const opposite: Side = own === 'buy' ? 'sell' : 'buy';
  const common = {
    orderId,
    marketId: data['market_id'] as MarketId,
    owner: data['address'] as Address,
    side: own,
    price: null,
    size,
    reduced: 0n,
    decremented: 0n,
    tif: null,
    clientId: null,
  };
  if (kind === 'liquidation') {
    const { filled } = told.of(orderId);
    const remaining = size - filled;
    const isDeleveraged = told.closings.some((one) => one.kind === 'deleveraged' && one.data['order_id'] === orderId);
    const rest = { status: 'cancelled', reason: isDeleveraged ? 'deleveraged' : 'ioc' } as const;
    const end = remaining === 0n ? ({ status: 'filled', reason: null } as const) : rest;
    return [{ ...common, filled, remaining, ...end, kind }];
  }
  const closed = {
    ...common,
    filled: size,
    remaining: 0n,
    status: 'filled',
    reason: null,
    kind: 'deleveraging',
  } as const;
  return [closed, { ...closed, orderId: null, owner: data['counterparty'] as Address, side: opposite }];
}
