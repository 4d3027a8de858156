import { assert } from '@prime/primitives';
import {
  buySide,
  type Column,
  noOrder,
  type OrderPool,
  type Quantity,
  type QuantityColumns,
  type SideIndex,
} from './orderPool.ts';
import { SortedIndex } from './sortedIndex.ts';
import { TickLadder } from './tickLadder.ts';

/** Price levels of a side by key. */
type LevelIndex<N extends Quantity> = Pick<SortedIndex<N>, 'last' | 'get' | 'insert' | 'remove' | 'descend'>;

/**
 * One market's resting orders: price levels, and in each level a queue by order id.
 *
 * Written once for both kinds of numbers. The narrow book counts ticks and lots in numbers and is what runs; the wide one
 * counts in bigints and takes over a market whose values leave the exact range (`Number.MAX_SAFE_INTEGER`), so that the
 * protocol's 128-bit prices and sizes hold everywhere. The engine decides which one a market has; nothing that is stored or
 * hashed depends on it.
 *
 * The book only links, unlinks and counts. Who owns an order and whether it may trade is the engine's business.
 */
export class Book<N extends Quantity> {
  readonly zero: N;
  /** A quantity as this book counts it; the value is known to fit. */
  readonly of: (value: bigint) => N;
  readonly columns: QuantityColumns<N>;
  readonly #pool: OrderPool;
  // A side is keyed so that its best price is the greatest key: bids by ticks, asks by negated ticks.
  readonly #bids: LevelIndex<N>;
  readonly #asks: LevelIndex<N>;
  readonly #levelTicks: N[] = [];
  readonly #levelTotal: N[] = [];
  readonly #levelHead: number[] = [];
  readonly #levelTail: number[] = [];
  readonly #freeLevels: number[] = [];

  constructor(
    pool: OrderPool,
    columns: QuantityColumns<N>,
    of: (value: bigint) => N,
    createIndex: () => LevelIndex<N>,
  ) {
    this.#pool = pool;
    this.columns = columns;
    this.of = of;
    this.#bids = createIndex();
    this.#asks = createIndex();
    this.zero = of(0n);
  }

  /** The order that is first in turn on a side: oldest at the best price; {@link noOrder} when the side is empty. */
  best(side: SideIndex): number {
    const level = (side === buySide ? this.#bids : this.#asks).last();
    return level < 0 ? noOrder : this.#levelHead[level]!;
  }

  /** Best price of a side in ticks; undefined when the side is empty. */
  bestTicks(side: SideIndex): N | undefined {
    const level = (side === buySide ? this.#bids : this.#asks).last();
    return level < 0 ? undefined : this.#levelTicks[level];
  }

  /** Lots at a price; zero where nobody rests. */
  lotsAt(side: SideIndex, ticks: N): N {
    const level = this.#side(side).get(this.#key(side, ticks));
    return level < 0 ? this.zero : this.#levelTotal[level]!;
  }

  /** Links an order behind all others of its price. Its row holds side, ticks and remaining. */
  append(handle: number): void {
    const pool = this.#pool;
    const level = this.#levelFor(handle);
    const tail = this.#levelTail[level]!;
    pool.previous[handle] = tail;
    pool.next[handle] = noOrder;
    if (tail === noOrder) this.#levelHead[level] = handle;
    else pool.next[tail] = handle;
    this.#levelTail[level] = handle;
  }

  /** Puts an order back where {@link remove} took it from: the book is as it was right after the removal. */
  reinsert(handle: number): void {
    const pool = this.#pool;
    const level = this.#levelFor(handle);
    const previous = pool.previous[handle]!;
    const next = pool.next[handle]!;
    if (previous === noOrder) this.#levelHead[level] = handle;
    else pool.next[previous] = handle;
    if (next === noOrder) this.#levelTail[level] = handle;
    else pool.previous[next] = handle;
  }

  /** Unlinks an order. The row keeps its neighbours. */
  remove(handle: number): void {
    const pool = this.#pool;
    const level = this.columns.level[handle]!;
    const previous = pool.previous[handle]!;
    const next = pool.next[handle]!;
    if (previous === noOrder) this.#levelHead[level] = next;
    else pool.next[previous] = next;
    if (next === noOrder) this.#levelTail[level] = previous;
    else pool.previous[next] = previous;
    this.#levelTotal[level] = minus(this.#levelTotal[level]!, this.columns.remaining[handle]!);
    if (previous !== noOrder || next !== noOrder) return;
    const side = pool.side[handle] as SideIndex;
    this.#side(side).remove(this.#key(side, this.#levelTicks[level]!));
    this.#freeLevels.push(level);
  }

  /** Changes what remains of an order, which keeps its place. @param by negative lots for less */
  adjust(handle: number, by: N): void {
    const { columns } = this;
    const level = columns.level[handle]!;
    columns.remaining[handle] = plus(columns.remaining[handle]!, by);
    this.#levelTotal[level] = plus(this.#levelTotal[level]!, by);
  }

  /** Whether at least `lots` rest on a side at prices that a taker with this limit crosses. Cost: levels up to there. */
  holds(side: SideIndex, limit: N, lots: N): boolean {
    let missing = lots;
    this.#side(side).descend((level) => {
      if (!reaches(side, this.#levelTicks[level]!, limit)) return false;
      const total = this.#levelTotal[level]!;
      if (total >= missing) {
        missing = this.zero;
        return false;
      }
      missing = minus(missing, total);
      return true;
    });
    return missing === this.zero;
  }

  /** Visits the levels of a side, best price first, until told to stop. */
  levels(side: SideIndex, visit: (ticks: N, lots: N) => boolean): void {
    this.#side(side).descend((level) => visit(this.#levelTicks[level]!, this.#levelTotal[level]!));
  }

  /** Visits the orders of a side in the order in which they are matched, until told to stop. */
  walk(side: SideIndex, visit: (handle: number) => boolean): void {
    const { next } = this.#pool;
    this.#side(side).descend((level) => {
      for (let handle = this.#levelHead[level]!; handle !== noOrder; handle = next[handle]!)
        if (!visit(handle)) return false;
      return true;
    });
  }

  /** Orders of a side in the order in which they are matched. */
  *orders(side: SideIndex): Generator<number> {
    const levels: number[] = [];
    this.#side(side).descend((level) => levels.push(level) > 0);
    for (const level of levels)
      for (let handle = this.#levelHead[level]!; handle !== noOrder; handle = this.#pool.next[handle]!) yield handle;
  }

  #side(side: SideIndex): LevelIndex<N> {
    return side === buySide ? this.#bids : this.#asks;
  }

  #key(side: SideIndex, ticks: N): N {
    return side === buySide ? ticks : negated(ticks);
  }

  /** The level of an order's price, made when there is none, with the order's lots counted. */
  #levelFor(handle: number): number {
    const { columns } = this;
    const side = this.#pool.side[handle] as SideIndex;
    const ticks = columns.ticks[handle]!;
    const key = this.#key(side, ticks);
    const index = this.#side(side);
    let level = index.get(key);
    if (level < 0) {
      level = this.#freeLevels.pop() ?? this.#levelHead.length;
      this.#levelTicks[level] = ticks;
      this.#levelTotal[level] = this.zero;
      this.#levelHead[level] = noOrder;
      this.#levelTail[level] = noOrder;
      index.insert(key, level);
    }
    this.#levelTotal[level] = plus(this.#levelTotal[level]!, columns.remaining[handle]!);
    columns.level[handle] = level;
    return level;
  }
}

/** A book of either kind: what it gives goes back only to the same book, or through BigInt and {@link Book.of}. */
export type AnyBook = Book<Quantity>;

/** Whether a resting price is within a taker's limit. @param side of the resting order */
export const reaches = <N extends Quantity>(side: SideIndex, resting: N, limit: N): boolean =>
  side === buySide ? resting >= limit : resting <= limit;

// TypeScript has no arithmetic on "number or bigint, the same on both sides"; the casts say that both operands are one kind.
export const plus = <N extends Quantity>(a: N, b: N): N => ((a as number) + (b as number)) as N;
export const minus = <N extends Quantity>(a: N, b: N): N => ((a as number) - (b as number)) as N;
export const negated = <N extends Quantity>(a: N): N => -(a as number) as N;

export const createNarrowBook = (pool: OrderPool): Book<number> =>
  new Book(pool, pool.narrow, Number, () => new TickLadder());
export function createWideBook(pool: OrderPool): Book<bigint> {
  pool.widen();
  return new Book(
    pool,
    pool.wide,
    (value) => value,
    () => new SortedIndex(),
  );
}

/** Whether the narrow book can count an order: its quantities, and its level's sum with it, are exact. */
export function fitsNarrow(book: AnyBook, side: SideIndex, ticks: bigint, lots: bigint): boolean {
  if (ticks > exactMax || lots > exactMax) return false;
  return BigInt(book.lotsAt(side, book.of(ticks))) + lots <= exactMax;
}
const exactMax = BigInt(Number.MAX_SAFE_INTEGER);

/** A wide book with the orders of a narrow one, in the same places. */
export function widened(pool: OrderPool, narrow: AnyBook): Book<bigint> {
  const wide = createWideBook(pool);
  const { wide: to, narrow: from } = pool;
  const copy = <N extends Quantity>(column: Column<N>, handle: number): bigint => BigInt(column[handle]!);
  // All handles first: appending rewrites the links that the walk follows.
  for (const side of [0, 1] as const)
    for (const handle of Array.from(narrow.orders(side))) {
      to.ticks[handle] = copy(from.ticks, handle);
      to.size[handle] = copy(from.size, handle);
      to.remaining[handle] = copy(from.remaining, handle);
      wide.append(handle);
    }
  assert(wide.best(0) === narrow.best(0) && wide.best(1) === narrow.best(1), 'widening a book keeps its order');
  return wide;
}
