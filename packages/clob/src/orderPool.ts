import type { SelfTradeMode } from '@prime/codec';
import type { Exposure } from './accounts.ts';
import { IntStack } from './intStack.ts';
import { noOrder, OrderIndex } from './orderIndex.ts';

/**
 * Orders as rows of typed columns, named by small integers (handles).
 *
 * An order book makes and drops orders faster than anything else in the node; objects for them would be garbage for the
 * collector to chase through a heap of a million live orders. Rows are recycled. A row that was released during a block keeps
 * its contents until {@link OrderPool.recycle}, so that the undo log can put it back.
 */

export { noOrder };
export const buySide = 0;
export const sellSide = 1;
export type SideIndex = 0 | 1;

/** Ticks and lots: numbers where they are exact, bigints elsewhere. */
export type Quantity = number | bigint;

/** Indexed storage of one quantity per row. */
export interface Column<N> {
  [handle: number]: N;
}

/** The columns that a book of one number type reads and writes. */
export interface QuantityColumns<N> {
  ticks: Column<N>;
  /** Lots that the order was made for. */
  size: Column<N>;
  /** Lots that are not filled yet. */
  remaining: Column<N>;
  /** Level in which the order stands. */
  level: Column<number>;
}

const selfTradeModes: readonly SelfTradeMode[] = ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'];
/** The first of them, which nearly all orders have: searching a list of words for it would take as long as linking the order. */
const defaultSelfTrade = 'cancel_maker' satisfies SelfTradeMode;

/** What does not take part in matching arithmetic. */
export interface OrderRow {
  readonly id: number;
  readonly market: number;
  readonly side: SideIndex;
  readonly owner: number;
  readonly expiresAt: number;
  readonly createdBlock: number;
  readonly postOnly: boolean;
  readonly selfTrade: SelfTradeMode;
  readonly clientId: string | null;
}

export class OrderPool {
  id = new Float64Array(0);
  /** Neighbours in the queue of the level. */
  next = new Int32Array(0);
  previous = new Int32Array(0);
  /** Neighbours among the orders of the owner, by id. */
  ownerNext = new Int32Array(0);
  ownerPrevious = new Int32Array(0);
  /** Index of the owner's account. */
  owner = new Int32Array(0);
  /** Ids; there are far fewer than 2^31. */
  market = new Int32Array(0);
  side = new Uint8Array(0);
  expiresAt = new Float64Array(0);
  createdBlock = new Float64Array(0);
  /** Bit 0: post-only; from bit 1: self-trade mode. */
  flags = new Uint8Array(0);
  readonly clientId: (string | null)[] = [];
  /** The owner's stake in the market, of orders in the book. */
  readonly exposure: Exposure[] = [];
  readonly narrow: QuantityColumns<number> = emptyColumns(new Float64Array(0));
  readonly wide: QuantityColumns<bigint> = emptyColumns<bigint>([]);
  /** Handles of live orders by order id. */
  readonly byId = new OrderIndex();
  readonly #free = new IntStack();
  readonly #released = new IntStack();
  #used = 0;
  /** Block of the latest change of each row, in blocks that this process ran: 0 for never. */
  #touchedIn = new Float64Array(0);
  #block = 1;
  readonly #touched = new IntStack();
  /** What remained of a touched order before its block. */
  readonly #remainingBefore: Quantity[] = [];
  #changed = new Float64Array(0);
  /** Times that orders of the open block came, changed or left, also what was undone: what it has cost so far. */
  changes = 0;

  /** A row with its fields set, in no queue. */
  allocate(row: OrderRow): number {
    const handle = this.#free.pop() ?? this.#append();
    this.id[handle] = row.id;
    this.next[handle] = noOrder;
    this.previous[handle] = noOrder;
    this.ownerNext[handle] = noOrder;
    this.ownerPrevious[handle] = noOrder;
    this.owner[handle] = row.owner;
    this.market[handle] = row.market;
    this.side[handle] = row.side;
    this.expiresAt[handle] = row.expiresAt;
    this.createdBlock[handle] = row.createdBlock;
    this.flags[handle] =
      (row.postOnly ? 1 : 0) | (row.selfTrade === defaultSelfTrade ? 0 : selfTradeModes.indexOf(row.selfTrade) << 1);
    this.clientId[handle] = row.clientId;
    return handle;
  }

  /** Calls a live order by another id. */
  rename(handle: number, id: number): void {
    this.byId.delete(this.id[handle]!);
    this.id[handle] = id;
    this.byId.set(id, handle);
  }

  /** Gives a row up; its contents stay until {@link recycle}. */
  release(handle: number): void {
    this.#released.push(handle);
  }

  /** Reverses the latest release. */
  unrelease(): void {
    this.#released.pop();
  }

  /** Gives back a row that nothing can ask for again: its creation was undone. */
  discard(handle: number): void {
    this.#free.push(handle);
  }

  /** Makes released rows usable again: nothing can be undone any more. */
  recycle(): void {
    for (let index = 0; index < this.#released.length; index++) {
      const handle = this.#released.at(index);
      this.clientId[handle] = null;
      this.#free.push(handle);
    }
    this.#released.clear();
  }

  /** Notes that an order came, or is about to change or to leave, in the open block. @param remaining before that */
  touch(handle: number, remaining: Quantity): void {
    this.changes++;
    if (this.#touchedIn[handle] === this.#block) return;
    this.#touchedIn[handle] = this.#block;
    this.#remainingBefore[handle] = remaining;
    this.#touched.push(handle);
  }

  /**
   * Ids of the orders that the open block changed as far as it shows when it ends, ascending: an order that came and left within the
   * block never was, and one whose changes were taken back is as it was.
   *
   * @param remainingOf what remains of an order now
   */
  changedIds(height: number, remainingOf: (handle: number) => Quantity): Float64Array {
    if (this.#changed.length < this.#touched.length) this.#changed = new Float64Array(this.#touched.length * 2);
    const ids = this.#changed;
    let count = 0;
    for (let index = 0; index < this.#touched.length; index++) {
      const handle = this.#touched.at(index);
      const id = this.id[handle]!;
      const isLive = this.byId.get(id) === handle;
      const isNew = this.createdBlock[handle] === height;
      // What remains never grows: the same is an order to which nothing happened.
      const isSame = isLive && !isNew && sameQuantity(remainingOf(handle), this.#remainingBefore[handle]!);
      if (isNew ? isLive : !isSame) ids[count++] = id;
    }
    return ids.subarray(0, count).sort();
  }

  forgetTouched(): void {
    this.changes = 0;
    this.#touched.clear();
    this.#block++;
  }

  isPostOnly(handle: number): boolean {
    return (this.flags[handle]! & 1) !== 0;
  }

  selfTrade(handle: number): SelfTradeMode {
    return selfTradeModes[this.flags[handle]! >> 1]!;
  }

  #append(): number {
    if (this.#used === this.id.length) this.#grow(Math.max(1024, this.#used * 2));
    return this.#used++;
  }

  #grow(capacity: number): void {
    this.id = grown(this.id, new Float64Array(capacity));
    this.next = grown(this.next, new Int32Array(capacity));
    this.previous = grown(this.previous, new Int32Array(capacity));
    this.ownerNext = grown(this.ownerNext, new Int32Array(capacity));
    this.ownerPrevious = grown(this.ownerPrevious, new Int32Array(capacity));
    this.owner = grown(this.owner, new Int32Array(capacity));
    this.market = grown(this.market, new Int32Array(capacity));
    this.side = grown(this.side, new Uint8Array(capacity));
    this.expiresAt = grown(this.expiresAt, new Float64Array(capacity));
    this.createdBlock = grown(this.createdBlock, new Float64Array(capacity));
    this.flags = grown(this.flags, new Uint8Array(capacity));
    this.#touchedIn = grown(this.#touchedIn, new Float64Array(capacity));
    const { narrow, wide } = this;
    narrow.ticks = grown(narrow.ticks as Float64Array, new Float64Array(capacity));
    narrow.size = grown(narrow.size as Float64Array, new Float64Array(capacity));
    narrow.remaining = grown(narrow.remaining as Float64Array, new Float64Array(capacity));
    narrow.level = grown(narrow.level as Int32Array, new Int32Array(capacity));
    wide.level = grown(wide.level as Int32Array, new Int32Array(capacity));
  }
}

/** The market may have moved to the other kind of book in between. */
const sameQuantity = (a: Quantity, b: Quantity): boolean =>
  a === b || (typeof a !== typeof b && BigInt(a) === BigInt(b));

function emptyColumns<N>(column: Column<N>): QuantityColumns<N> {
  const copy = (): Column<N> => (Array.isArray(column) ? ([] as N[]) : column);
  return { ticks: copy(), size: copy(), remaining: copy(), level: new Int32Array(0) };
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
