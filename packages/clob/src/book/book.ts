import { assert, grown } from '@prime/primitives';
import { IntStack } from './intStack.ts';
import { buySide, type Column, noOrder, type OrderPool, type QuantityColumns, type SideIndex } from './orderPool.ts';
import { exactMax, minus, negated, plus, type Quantity } from './quantity.ts';
import { SortedIndex } from './sortedIndex.ts';
import { TickLadder } from './tickLadder.ts';

/** What the two kinds of books do differently. */
interface NumberKind<N extends Quantity> {
  /** A quantity as this book counts it; the value is known to fit. */
  of(value: bigint): N;
  /** An empty index of the levels of a side. */
  createIndex(): LevelIndex<N>;
  /** Room for so many quantities. @param held what is there so far, which is kept; may be given back */
  quantities(held: Column<N> | null, count: number): Column<N>;
}

/** Price levels of a side by key. */
type LevelIndex<N extends Quantity> = Pick<
  SortedIndex<N>,
  'last' | 'get' | 'insert' | 'remove' | 'removeLast' | 'descend'
>;

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
  // Levels are rows of two numbers in each of two arrays, and are named by the place of their row, so that whoever changes one waits for two lines of the
  // processor's cache.
  /** Ticks, and behind them the lots that rest there. */
  #levelQuantities: Column<N>;
  /** The first order in the queue, and behind it the last. */
  #levelEnds = noEnds;
  /** Place behind the last row that was ever used. */
  #levelsEnd = 0;
  readonly #freeLevels: IntStack;
  readonly #kind: NumberKind<N>;

  constructor(pool: OrderPool, columns: QuantityColumns<N>, kind: NumberKind<N>) {
    this.#pool = pool;
    this.#freeLevels = new IntStack(pool.firstRoom);
    this.columns = columns;
    this.of = kind.of;
    this.zero = kind.of(0n);
    this.#kind = kind;
    this.#bids = kind.createIndex();
    this.#asks = kind.createIndex();
    this.#levelQuantities = kind.quantities(null, 0);
  }

  /** The order that is first in turn on a side: oldest at the best price; {@link noOrder} when the side is empty. */
  best(side: SideIndex): number {
    const level = (side === buySide ? this.#bids : this.#asks).last();
    return level < 0 ? noOrder : this.#levelEnds[level]!;
  }

  /** Best price of a side in ticks; undefined when the side is empty. */
  bestTicks(side: SideIndex): N | undefined {
    const level = (side === buySide ? this.#bids : this.#asks).last();
    return level < 0 ? undefined : this.#levelQuantities[level];
  }

  /** Lots at a price; zero where nobody rests. */
  lotsAt(side: SideIndex, ticks: N): N {
    const level = this.#side(side).get(this.#key(side, ticks));
    return level < 0 ? this.zero : this.#levelQuantities[level + 1]!;
  }

  /** Links an order behind all others of its price. Its row holds side, ticks and remaining. */
  append(handle: number): void {
    const pool = this.#pool;
    const level = this.#levelFor(handle);
    const tail = this.#levelEnds[level + 1]!;
    pool.previous[handle] = tail;
    pool.next[handle] = noOrder;
    if (tail === noOrder) this.#levelEnds[level] = handle;
    else pool.next[tail] = handle;
    this.#levelEnds[level + 1] = handle;
  }

  /** Puts an order back where {@link remove} took it from: the book is as it was right after the removal. */
  reinsert(handle: number): void {
    const pool = this.#pool;
    const level = this.#levelFor(handle);
    const previous = pool.previous[handle]!;
    const next = pool.next[handle]!;
    if (previous === noOrder) this.#levelEnds[level] = handle;
    else pool.next[previous] = handle;
    if (next === noOrder) this.#levelEnds[level + 1] = handle;
    else pool.previous[next] = handle;
  }

  /** Unlinks an order. The row keeps its neighbours. */
  remove(handle: number): void {
    const pool = this.#pool;
    const level = this.columns.level[handle]!;
    const previous = pool.previous[handle]!;
    const next = pool.next[handle]!;
    if (previous === noOrder) this.#levelEnds[level] = next;
    else pool.next[previous] = next;
    if (next === noOrder) this.#levelEnds[level + 1] = previous;
    else pool.previous[next] = previous;
    this.#levelQuantities[level + 1] = minus(this.#levelQuantities[level + 1]!, this.columns.remaining[handle]!);
    if (previous !== noOrder || next !== noOrder) return;
    const side = pool.side[handle] as SideIndex;
    this.#side(side).remove(this.#key(side, this.#levelQuantities[level]!));
    this.#freeLevels.push(level);
  }

  /** Unlinks the order that is {@link best} on its side, as {@link remove} does: for it nothing has to be found. The row keeps its neighbours. @throws InvariantError when it is not first in its level, or its level, which goes with it, is not the best */
  removeBest(handle: number): void {
    const pool = this.#pool;
    const level = this.columns.level[handle]!;
    assert(this.#levelEnds[level] === handle, 'the best order of a side is first in its level');
    const next = pool.next[handle]!;
    if (next === noOrder) {
      const best = this.#side(pool.side[handle] as SideIndex).removeLast();
      assert(best === level, 'the best order of a side is in its best level');
      this.#freeLevels.push(level);
      return;
    }
    this.#levelEnds[level] = next;
    pool.previous[next] = noOrder;
    this.#levelQuantities[level + 1] = minus(this.#levelQuantities[level + 1]!, this.columns.remaining[handle]!);
  }

  /** Changes what remains of an order, which keeps its place. @param by negative lots for less */
  adjust(handle: number, by: N): void {
    const { columns } = this;
    const level = columns.level[handle]!;
    columns.remaining[handle] = plus(columns.remaining[handle]!, by);
    this.#levelQuantities[level + 1] = plus(this.#levelQuantities[level + 1]!, by);
  }

  /** Whether at least `lots` rest on a side at prices that a taker with this limit crosses. Cost: levels up to there. */
  holds(side: SideIndex, limit: N, lots: N): boolean {
    let missing = lots;
    this.#side(side).descend((level) => {
      if (!reaches(side, this.#levelQuantities[level]!, limit)) return false;
      const total = this.#levelQuantities[level + 1]!;
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
    this.#side(side).descend((level) => visit(this.#levelQuantities[level]!, this.#levelQuantities[level + 1]!));
  }

  /** Visits the orders of a side in the order in which they are matched, until told to stop. */
  walk(side: SideIndex, visit: (handle: number) => boolean): void {
    const { next } = this.#pool;
    this.#side(side).descend((level) => {
      for (let handle = this.#levelEnds[level]!; handle !== noOrder; handle = next[handle]!)
        if (!visit(handle)) return false;
      return true;
    });
  }

  /** Orders of a side in the order in which they are matched. */
  *orders(side: SideIndex): Generator<number> {
    const levels: number[] = [];
    this.#side(side).descend((level) => levels.push(level) > 0);
    for (const level of levels)
      for (let handle = this.#levelEnds[level]!; handle !== noOrder; handle = this.#pool.next[handle]!) yield handle;
  }

  #side(side: SideIndex): LevelIndex<N> {
    return side === buySide ? this.#bids : this.#asks;
  }

  #key(side: SideIndex, ticks: N): N {
    return side === buySide ? ticks : negated(ticks);
  }

  #newLevel(): number {
    const level = this.#levelsEnd;
    this.#levelsEnd += levelNumbers;
    if (this.#levelsEnd > this.#levelEnds.length) {
      this.#levelEnds = grown(
        this.#levelEnds,
        Math.max(this.#pool.firstRoom(usualLevels) * levelNumbers, this.#levelEnds.length * 2),
      );
      this.#levelQuantities = this.#kind.quantities(this.#levelQuantities, this.#levelEnds.length);
    }
    return level;
  }

  /** The level of an order's price, made when there is none, with the order's lots counted. */
  #levelFor(handle: number): number {
    const { columns } = this;
    const side = this.#pool.side[handle] as SideIndex;
    const ticks = columns.ticks[handle]!;
    const key = this.#key(side, ticks);
    const index = this.#side(side);
    const lots = columns.remaining[handle]!;
    let level = index.get(key);
    if (level < 0) {
      level = this.#freeLevels.pop();
      if (level < 0) level = this.#newLevel();
      this.#levelQuantities[level] = ticks;
      this.#levelQuantities[level + 1] = lots;
      this.#levelEnds[level] = noOrder;
      this.#levelEnds[level + 1] = noOrder;
      index.insert(key, level);
    } else this.#levelQuantities[level + 1] = plus(this.#levelQuantities[level + 1]!, lots);
    columns.level[handle] = level;
    return level;
  }
}

/** Numbers of a level in each array. */
const levelNumbers = 2;
/** Levels that a book has room for once it has one. */
const usualLevels = 32;
/** Most markets of a long list have no orders. */
const noEnds = new Int32Array(0);

/** A book of either kind: what it gives goes back only to the same book, or through BigInt and {@link Book.of}. */
export type AnyBook = Book<Quantity>;

/** Whether a resting price is within a taker's limit. @param side of the resting order */
export const reaches = <N extends Quantity>(side: SideIndex, resting: N, limit: N): boolean =>
  side === buySide ? resting >= limit : resting <= limit;

const narrowKind: NumberKind<number> = {
  of: Number,
  createIndex: () => new TickLadder(),
  quantities(held, count) {
    return held === null ? new Float64Array(count) : grown(held as Float64Array, count);
  },
};
const wideKind: NumberKind<bigint> = {
  of: (value) => value,
  createIndex: () => new SortedIndex(),
  quantities: (held) => held ?? [],
};

/** An empty book that counts in numbers; {@link fitsNarrow} tells for which orders it is exact. */
export const createNarrowBook = (pool: OrderPool): Book<number> => new Book(pool, pool.narrow, narrowKind);

/** An empty book that counts in bigints; the pool gets its columns of bigints with it. */
export function createWideBook(pool: OrderPool): Book<bigint> {
  pool.widen();
  return new Book(pool, pool.wide, wideKind);
}

/** Whether the narrow book can count an order: its quantities, and its level's sum with it, are exact. */
export function fitsNarrow(book: AnyBook, side: SideIndex, ticks: bigint, lots: bigint): boolean {
  if (ticks > exactMax || lots > exactMax) return false;
  return BigInt(book.lotsAt(side, book.of(ticks))) + lots <= exactMax;
}

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
