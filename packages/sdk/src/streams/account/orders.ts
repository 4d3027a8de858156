import { bigintAbs } from '@prime/primitives';
import type { OpenOrder, OrderEndReason } from '../../types/order.ts';
import type { Address, Side } from '../../types/primitives.ts';
import type { DomainEventOf, DomainEventData } from '../domainEvents.ts';
import type { BlockPosition, OrderUpdate } from '../types.ts';

/** The orders of one account, followed by the events of blocks: what rests, and what a block did to each. */

/** Resting orders by order id. */
export type OpenOrders = ReadonlyMap<number, OpenOrder>;

/** What the events of one block made of an account's orders. */
export interface OrdersStep {
  readonly open: OpenOrders;
  /** By order id; then positions that were closed without their owner's order, in the order of execution. */
  readonly updates: readonly OrderUpdate[];
  /** Orders that something happened to and that were not there: what was known was not all. */
  readonly unknown: readonly number[];
}

/** What the events of a block did to one order, base units. */
interface Tally {
  accepted: DomainEventData['order_accepted'] | null;
  cancelled: DomainEventData['order_cancelled'] | null;
  filled: bigint;
  reduced: bigint;
  decremented: bigint;
}

class Tallies {
  readonly byId = new Map<number, Tally>();

  of(orderId: number): Tally {
    const tally = this.byId.get(orderId) ?? {
      accepted: null,
      cancelled: null,
      filled: 0n,
      reduced: 0n,
      decremented: 0n,
    };
    this.byId.set(orderId, tally);
    return tally;
  }
}

function tallied(events: readonly DomainEventOf[], owner: Address): Tallies {
  const tallies = new Tallies();
  for (const event of events) {
    const { kind, data } = event;
    if (kind === 'order_accepted' && data.owner === owner) tallies.of(data.orderId).accepted = data;
    else if (kind === 'order_cancelled' && data.owner === owner) tallies.of(data.orderId).cancelled = data;
    else if (kind === 'order_reduced' && data.owner === owner)
      tallies.of(data.orderId)[data.by === 'decrement' ? 'decremented' : 'reduced'] += data.amount;
    else if (kind === 'trade') {
      if (data.maker === owner) tallies.of(data.makerOrderId).filled += data.size;
      if (data.taker === owner) tallies.of(data.takerOrderId).filled += data.size;
    }
  }
  return tallies;
}

type Start = Pick<OpenOrder, 'marketId' | 'owner' | 'side' | 'price' | 'size' | 'tif' | 'clientId'>;
const startOf = ({ marketId, owner, side, price, size, tif, clientId }: Start): Start => ({
  marketId,
  owner,
  side,
  price,
  size,
  tif,
  clientId,
});

/** An order after a block: what it is now if it rests, and what is told of it. */
function orderStep(
  orderId: number,
  before: OpenOrder | null,
  tally: Tally,
  position: BlockPosition,
): { readonly after: OpenOrder | null; readonly update: OrderUpdate } | null {
  const { accepted, cancelled, filled, reduced, decremented } = tally;
  const origin = before ?? accepted;
  if (origin === null) return null;
  const start = startOf(origin);
  const earlier = before?.filled ?? 0n;
  const left = (before?.remaining ?? start.size) - filled - reduced - decremented;
  const told = {
    ...position,
    orderId,
    ...start,
    reduced,
    decremented,
    filled: earlier + filled,
    kind: 'order',
  } as const;
  if (cancelled === null && left > 0n) {
    const size = start.size - reduced - decremented;
    const { createdBlock = position.blockNumber } = before ?? {};
    const expiresAtSeconds = before?.expiresAtSeconds ?? accepted?.expiresAt ?? 0;
    const after = { orderId, ...start, size, filled: size - left, remaining: left, createdBlock, expiresAtSeconds };
    return { after, update: { ...told, size, remaining: left, status: 'open', reason: null } };
  }
  // One that rested is as if it had been made for what is left of it; one that never did was made for what it says.
  const size = start.size - reduced - (before === null ? 0n : decremented);
  const end =
    cancelled === null
      ? ({ remaining: 0n, status: 'filled', reason: null } as const)
      : ({
          remaining: cancelled.remaining,
          status: 'cancelled',
          reason: cancelled.reason as OrderEndReason,
        } as const);
  return { after: null, update: { ...told, size, ...end } };
}

/** Of a liquidation: what the book took of the position, and what was left. */
function liquidationUpdate(
  data: DomainEventData['liquidation'],
  { filled, isDeleveraged }: { readonly filled: bigint; readonly isDeleveraged: boolean },
  position: BlockPosition,
): OrderUpdate {
  const size = bigintAbs(data.size);
  const remaining = size - filled;
  return {
    ...position,
    ...closing(data, data.address, data.size > 0n ? 'sell' : 'buy', size),
    orderId: data.orderId,
    filled,
    remaining,
    status: remaining === 0n ? 'filled' : 'cancelled',
    reason: remaining === 0n ? null : isDeleveraged ? 'deleveraged' : 'ioc',
    kind: 'liquidation',
  };
}

/** Both sides of a position that was closed against another account's, as far as they are the owner's. */
function deleveragingUpdates(
  data: DomainEventData['deleveraged'],
  owner: Address,
  position: BlockPosition,
): readonly OrderUpdate[] {
  const size = bigintAbs(data.size);
  const own: Side = data.size > 0n ? 'sell' : 'buy';
  const opposite: Side = own === 'buy' ? 'sell' : 'buy';
  const common = {
    ...position,
    filled: size,
    remaining: 0n,
    status: 'filled',
    reason: null,
    kind: 'deleveraging',
  } as const;
  const updates: OrderUpdate[] = [
    { ...common, ...closing(data, data.address, own, size), orderId: data.orderId },
    { ...common, ...closing(data, data.counterparty, opposite, size), orderId: null },
  ];
  return updates.filter((update) => update.owner === owner);
}

const closing = ({ marketId }: { readonly marketId: number }, owner: Address, side: Side, size: bigint) => ({
  marketId,
  owner,
  side,
  price: null,
  size,
  reduced: 0n,
  decremented: 0n,
  tif: null,
  clientId: null,
});

/**
 * The orders of an account after a block.
 *
 * @param events of the block, all that name the account
 */
export function stepOrders(
  open: OpenOrders,
  events: readonly DomainEventOf[],
  owner: Address,
  position: BlockPosition,
): OrdersStep {
  const tallies = tallied(events, owner);
  const liquidations = new Set(events.flatMap(({ kind, data }) => (kind === 'liquidation' ? [data.orderId] : [])));
  const next = new Map(open);
  const updates: OrderUpdate[] = [];
  const unknown: number[] = [];
  for (const [orderId, tally] of [...tallies.byId].toSorted(([a], [b]) => a - b)) {
    // The taker of a liquidation is no order.
    if (liquidations.has(orderId)) continue;
    const step = orderStep(orderId, open.get(orderId) ?? null, tally, position);
    if (step === null) unknown.push(orderId);
    else {
      updates.push(step.update);
      if (step.after === null) next.delete(orderId);
      else next.set(orderId, step.after);
    }
  }
  const deleveraged = new Set(events.flatMap(({ kind, data }) => (kind === 'deleveraged' ? [data.orderId] : [])));
  for (const { kind, data } of events)
    if (kind === 'liquidation' && data.address === owner) {
      const { filled } = tallies.of(data.orderId);
      updates.push(liquidationUpdate(data, { filled, isDeleveraged: deleveraged.has(data.orderId) }, position));
    } else if (kind === 'deleveraged') updates.push(...deleveragingUpdates(data, owner, position));
  return { open: updates.length === 0 && unknown.length === 0 ? open : next, updates, unknown };
}
