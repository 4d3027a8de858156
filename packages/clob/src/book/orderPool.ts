import { type SelfTradeMode, selfTradeModes } from '@prime/codec';
import { grown } from '@prime/primitives';
import { sortAscending } from './ascending.ts';
import type { Exposure } from './exposure.ts';
import { type FirstRoom, usualRoom } from './firstRoom.ts';
import { IntStack } from './intStack.ts';
import { noOrder, OrderIndex } from './orderIndex.ts';
import type { Quantity } from './quantity.ts';

/**
 * Orders as rows of typed columns, named by small integers (handles).
 *
 * Rows stand one behind the other in two buffers: eight numbers of 64 bits, which are a line of the processor's cache, and eight of 32 bits, half a line. Columns
 * are views on these buffers that begin at their first row, and a handle is the place of a row in them, eight times its number:
 * so who reads five columns of an order waits for two lines and not for five.
 *
 * An order book makes and drops orders faster than anything else in the node; objects for them would be garbage for the
 * collector to chase through a heap of a million live orders. Rows are recycled. A row that was released during a block keeps
 * its contents until {@link OrderPool.recycle}, so that the undo log can put it back.
 */

export { noOrder };

/** Place of `buy` in `sides` of the codec. */
export const buySide = 0;

/** Place of `sell` in `sides` of the codec. */
export const sellSide = 1;

/** Buy or sell as a place in arrays; the opposite of `side` is `1 - side`. */
export type SideIndex = 0 | 1;

/** Numbers of a row in each buffer, and so the distance of two handles. */
const rowNumbers = 8;
const rowBits = Math.log2(rowNumbers);
/** Number of a row, for arrays that are not in the buffers. */
const rowOf = (handle: number): number => handle >> rowBits;
/** Rows for which arrays of bigints have room beforehand; behind them V8 keeps them as tables. */
const wideRowsMax = 2 ** 17;

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

/** The first of them, which nearly all orders have: searching a list of words for it would take as long as linking the order. */
const defaultSelfTrade = 'cancel_maker' satisfies SelfTradeMode;
/** Place in {@link selfTradeModes}. */
export const selfTradePlace = (mode: SelfTradeMode): number =>
  mode === defaultSelfTrade ? 0 : selfTradeModes.indexOf(mode);

/** What does not take part in matching arithmetic. */
export interface OrderRow {
  readonly id: number;
  readonly market: { readonly id: number };
  /** Of the owner. */
  readonly account: { readonly index: number };
  readonly side: SideIndex;
  readonly expiresAt: number;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTradeMode;
  readonly clientId: string | null;
}

const noFloats: Float64Array = new Float64Array(0);
const noInts: Int32Array = new Int32Array(0);

/** Orders of all markets, and what a block changed in them. Columns grow when no row is free, so nobody keeps one across {@link OrderPool.allocate}. */
export class OrderPool {
  id = noFloats;
  expiresAt = noFloats;
  createdBlock = noFloats;
  /** Bit 0: post-only; bits 1 and 2: self-trade mode; bit 3: reduce-only. See {@link isPostOnlyIn}. */
  flags = noFloats;
  /** Neighbours in the queue of the level. */
  next = noInts;
  previous = noInts;
  /** Neighbours among the orders of the owner, by id. */
  ownerNext = noInts;
  ownerPrevious = noInts;
  /** Index of the owner's account. */
  owner = noInts;
  /** Ids; there are far fewer than 2^31. */
  market = noInts;
  side = noInts;
  readonly narrow: QuantityColumns<number> = { ticks: noFloats, size: noFloats, remaining: noFloats, level: noInts };
  readonly wide: QuantityColumns<bigint> = { ticks: [], size: [], remaining: [], level: noInts };
  /** Handles of live orders by order id. */
  readonly byId: OrderIndex;
  /** Also that of the books whose orders these are. */
  readonly firstRoom: FirstRoom;
  readonly #free: IntStack;
  readonly #released: IntStack;
  /** Handle of the next row that was never used. */
  #used = 0;
  /** Place behind the last row. */
  #end = 0;
  #floats = noFloats;
  #ints = noInts;
  #isWide = false;
  readonly #clientIds: (string | null)[] = [];
  readonly #exposures: Exposure[] = [];
  /** Block of the latest change of each row, in blocks that this process ran: 0 for never. */
  #touchedIn = noFloats;
  #block = 1;
  readonly #touched: IntStack;
  /** What remained of a touched order before its block. */
  readonly #remainingBefore: Quantity[] = [];
  #changed = new Float64Array(0);
  /** Times that orders of the open block came, changed or left, also what was undone: what it has cost so far. */
  changes = 0;

  constructor(firstRoom: FirstRoom = usualRoom) {
    this.firstRoom = firstRoom;
    this.byId = new OrderIndex(firstRoom);
    this.#free = new IntStack(firstRoom);
    this.#released = new IntStack(firstRoom);
    this.#touched = new IntStack(firstRoom);
  }

  /** A row with its fields set, in no queue. @param createdBlock height of the block in which the order came */
  allocate(row: OrderRow, createdBlock: number): number {
    let handle = this.#free.pop();
    if (handle < 0) handle = this.#append();
    this.id[handle] = row.id;
    this.next[handle] = noOrder;
    this.previous[handle] = noOrder;
    this.ownerNext[handle] = noOrder;
    this.ownerPrevious[handle] = noOrder;
    this.owner[handle] = row.account.index;
    this.market[handle] = row.market.id;
    this.side[handle] = row.side;
    this.expiresAt[handle] = row.expiresAt;
    this.createdBlock[handle] = createdBlock;
    this.flags[handle] = (row.postOnly ? 1 : 0) | (selfTradePlace(row.selfTrade) << 1) | (row.reduceOnly ? 8 : 0);
    this.#clientIds[rowOf(handle)] = row.clientId;
    return handle;
  }

  clientId(handle: number): string | null {
    return this.#clientIds[rowOf(handle)]!;
  }

  /** The owner's stake in the market, of an order in the book. */
  exposure(handle: number): Exposure {
    return this.#exposures[rowOf(handle)]!;
  }

  setExposure(handle: number, exposure: Exposure): void {
    this.#exposures[rowOf(handle)] = exposure;
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
      this.#clientIds[rowOf(handle)] = null;
      this.#free.push(handle);
    }
    this.#released.clear();
  }

  /** Notes that an order came, or is about to change or to leave, in the open block. @param remaining before that */
  touch(handle: number, remaining: Quantity): void {
    this.changes++;
    if (this.#touchedIn[handle] === this.#block) return;
    this.#touchedIn[handle] = this.#block;
    this.#remainingBefore[rowOf(handle)] = remaining;
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
      const isSame = isLive && !isNew && sameQuantity(remainingOf(handle), this.#remainingBefore[rowOf(handle)]!);
      if (isNew ? isLive : !isSame) ids[count++] = id;
    }
    const changed = ids.subarray(0, count);
    sortAscending(changed);
    return changed;
  }

  forgetTouched(): void {
    this.changes = 0;
    this.#touched.clear();
    this.#block++;
  }

  isPostOnly(handle: number): boolean {
    return isPostOnlyIn(this.flags[handle]!);
  }

  isReduceOnly(handle: number): boolean {
    return isReduceOnlyIn(this.flags[handle]!);
  }

  selfTrade(handle: number): SelfTradeMode {
    return selfTradeModes[selfTradeIn(this.flags[handle]!)]!;
  }

  /** Makes room for quantities in bigints: a book of them is about to come. */
  widen(): void {
    this.#isWide = true;
    this.#growWide();
  }

  #append(): number {
    if (this.#used === this.#end) this.#grow(Math.max(this.firstRoom(1024) * rowNumbers, this.#end * 2));
    const handle = this.#used;
    this.#used += rowNumbers;
    return handle;
  }

  #grow(end: number): void {
    this.#end = end;
    this.#floats = grown(this.#floats, end);
    this.#ints = grown(this.#ints, end);
    const floats = (column: number): Float64Array => this.#floats.subarray(column);
    const ints = (column: number): Int32Array => this.#ints.subarray(column);
    const { narrow } = this;
    this.id = floats(0);
    narrow.ticks = floats(1);
    narrow.size = floats(2);
    narrow.remaining = floats(3);
    this.#touchedIn = floats(4);
    this.createdBlock = floats(5);
    this.expiresAt = floats(6);
    this.flags = floats(7);
    this.next = ints(0);
    this.previous = ints(1);
    narrow.level = ints(2);
    this.side = ints(3);
    this.owner = ints(4);
    this.market = ints(5);
    this.ownerNext = ints(6);
    this.ownerPrevious = ints(7);
    if (this.#isWide) this.#growWide();
  }

  #growWide(): void {
    const { wide } = this;
    if (this.#end > (wide.level as Int32Array).length) wide.level = grown(wide.level as Int32Array, this.#end);
    const length = Math.min(this.#end, wideRowsMax * rowNumbers);
    for (const column of [wide.ticks, wide.size, wide.remaining] as bigint[][])
      if (column.length < length) column.length = length;
  }
}

/** Whether flags of an order say post-only. */
export const isPostOnlyIn = (flags: number): boolean => (flags & 1) !== 0;
/** The self-trade mode that flags of an order say, as {@link selfTradePlace} numbers it. */
export const selfTradeIn = (flags: number): number => (flags >> 1) & 3;
/** Whether flags of an order say reduce-only. */
export const isReduceOnlyIn = (flags: number): boolean => (flags & 8) !== 0;

/** The market may have moved to the other kind of book in between. */
const sameQuantity = (a: Quantity, b: Quantity): boolean =>
  a === b || (typeof a !== typeof b && BigInt(a) === BigInt(b));
