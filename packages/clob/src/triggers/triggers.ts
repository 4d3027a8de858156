import type { MarketId, OrderId } from '@prime/primitives';
import type { TriggerFields } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import { SortedIndex } from '../book/sortedIndex.ts';

/** An order that waits for the mark of its market. Never changed, only replaced. */
export interface Trigger extends TriggerFields {
  readonly id: OrderId;
  readonly account: Account;
  readonly createdBlock: number;
  /** Since its condition held once: it fires when its turn comes, whatever the mark does. Null while it waits for the mark. */
  readonly queued: QueuePlace | null;
  /** The order whose fills it closes; null for one that stands for itself. */
  readonly attached: Attachment | null;
}

/** The order of a bracket, as its triggers know it. */
export interface Attachment {
  readonly orderId: OrderId;
  /** While it is, the size of the trigger is what it filled. */
  readonly isOpen: boolean;
}

/** Whether a trigger waits for the first fill of its order, and not for the mark. */
export const isAsleep = ({ attached, size }: Trigger): boolean => attached?.isOpen === true && size === 0n;

/** Whether a trigger ends with the position that it is against: of a bracket once its order has ended, which may open some more until then. */
export const goesWithPosition = ({ position, attached }: Trigger): boolean => position || attached?.isOpen === false;

/** What decides about the turn of a trigger. */
interface QueuePlace {
  /** Of the block at whose end its condition held. */
  readonly height: number;
  /** How far the mark was beyond the trigger's price then, wei. */
  readonly distance: bigint;
}

/** Whether a trigger fires when the mark is at its price or above; else at or below. */
export const risesTo = ({ side, kind }: Pick<TriggerFields, 'side' | 'kind'>): boolean =>
  (side === 'buy') === (kind === 'stop');

const idBits = 64n;
const idMax = (1n << idBits) - 1n;
const amountBits = 128n;
const amountMax = (1n << amountBits) - 1n;

/** Triggers of one market, by id: three ordered lists, of which the next one is last, and those that sleep. */
export class MarketTriggers {
  /** Those that wait for the mark to rise, the lowest price first. */
  readonly #rising = new SortedIndex<bigint>();
  /** Those that wait for it to fall, the highest first. */
  readonly #falling = new SortedIndex<bigint>();
  /** Those whose turn comes: by block, then the furthest passed, then by id. */
  readonly #queue = new SortedIndex<bigint>();
  /** How many no mark reaches yet. */
  #asleep = 0;

  get count(): number {
    return this.#rising.size + this.#falling.size + this.#queue.size + this.#asleep;
  }

  insert(trigger: Trigger): void {
    if (isAsleep(trigger)) this.#asleep++;
    else this.#listOf(trigger).insert(keyOf(trigger), trigger.id);
  }

  remove(trigger: Trigger): void {
    if (isAsleep(trigger)) this.#asleep--;
    else this.#listOf(trigger).remove(keyOf(trigger));
  }

  /** The one that a rising mark reaches first; negative where none waits. */
  lowest(): number {
    return this.#rising.last();
  }

  /** The one that a falling mark reaches first; negative where none waits. */
  highest(): number {
    return this.#falling.last();
  }

  /** The one whose turn is next; negative where there is none. */
  next(): number {
    return this.#queue.last();
  }

  #listOf(trigger: Trigger): SortedIndex<bigint> {
    if (trigger.queued !== null) return this.#queue;
    return risesTo(trigger) ? this.#rising : this.#falling;
  }
}

/** Of two keys in a list the greater one is first in turn. */
function keyOf(trigger: Trigger): bigint {
  const { id, queued, triggerPrice } = trigger;
  if (queued !== null) {
    const place = (BigInt(queued.height) << amountBits) | (amountMax - queued.distance);
    return -((place << idBits) | BigInt(id));
  }
  return risesTo(trigger) ? -((triggerPrice << idBits) | BigInt(id)) : (triggerPrice << idBits) | (idMax - BigInt(id));
}

/** All triggers; triggerChanges.ts is what changes them. */
export class Triggers {
  readonly byId = new Map<OrderId, Trigger>();
  readonly ofMarket = new Map<MarketId, MarketTriggers>();
  /** Ids of those that end some time, so that the first one is last. */
  readonly expiries = new SortedIndex<bigint>();
  /** Ids of those that are attached to open orders, by the order. */
  readonly ofOrder = new Map<OrderId, Set<OrderId>>();
  /** How many wait for their turn, in all markets. */
  queued = 0;
  /** Whose record the open block changed. */
  readonly dirty = new Set<OrderId>();
}
