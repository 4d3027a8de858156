import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Book, createNarrowBook, createWideBook } from './book.ts';
import { buySide, OrderPool, sellSide, type SideIndex } from './orderPool.ts';
import type { Quantity } from './quantity.ts';

interface Resting {
  readonly handle: number;
  readonly side: SideIndex;
  readonly ticks: number;
  lots: number;
}

/** A book beside a list of its orders, oldest first. */
class Beside<N extends Quantity> {
  readonly orders: Resting[] = [];
  readonly #pool: OrderPool;
  readonly #book: Book<N>;
  #id = 0;

  constructor(create: (pool: OrderPool) => Book<N>) {
    this.#pool = new OrderPool();
    this.#book = create(this.#pool);
  }

  append(side: SideIndex, ticks: number, lots: number): void {
    const row = {
      id: ++this.#id,
      market: { id: 1 },
      account: { index: 0 },
      side,
      expiresAt: 0,
      postOnly: false,
      reduceOnly: false,
      selfTrade: 'cancel_maker',
      clientId: null,
    } as const;
    const handle = this.#pool.allocate(row, 0);
    const { columns, of } = this.#book;
    columns.ticks[handle] = of(BigInt(ticks));
    columns.size[handle] = of(BigInt(lots));
    columns.remaining[handle] = of(BigInt(lots));
    this.#book.append(handle);
    this.orders.push({ handle, side, ticks, lots });
  }

  remove(index: number): void {
    const [order] = this.orders.splice(index, 1) as [Resting];
    this.#book.remove(order.handle);
    this.#pool.discard(order.handle);
  }

  removeBest(index: number): void {
    const best = this.#book.best(this.orders[index]!.side);
    this.orders.splice(
      this.orders.findIndex(({ handle }) => handle === best),
      1,
    );
    this.#book.removeBest(best);
    this.#pool.discard(best);
  }

  /** Whether it is the best one or not. */
  removeAsBest(index: number): void {
    this.#book.removeBest(this.orders[index]!.handle);
  }

  removeBestAndUndo(index: number): void {
    const best = this.#book.best(this.orders[index]!.side);
    this.#book.removeBest(best);
    this.#book.reinsert(best);
  }

  removeAndUndo(index: number): void {
    const { handle } = this.orders[index]!;
    this.#book.remove(handle);
    this.#book.reinsert(handle);
  }

  adjust(index: number, by: number): void {
    const order = this.orders[index]!;
    order.lots += by;
    this.#book.adjust(order.handle, this.#book.of(BigInt(by)));
  }

  /** Levels, best first, and the orders of each in turn: of the book, and of the list. */
  side(side: SideIndex): { readonly found: unknown; readonly expected: unknown } {
    const levels: (readonly [ticks: number, lots: number])[] = [];
    this.#book.levels(side, (ticks, lots) => levels.push([Number(ticks), Number(lots)]) > 0);
    const own = this.orders.filter((order) => order.side === side);
    const prices = [...new Set(own.map(({ ticks }) => ticks))].sort((a, b) => (side === buySide ? b - a : a - b));
    const queues = prices.map((price) => own.filter(({ ticks }) => ticks === price));
    return {
      found: { levels, best: this.#book.best(side), orders: [...this.#book.orders(side)] },
      expected: {
        levels: queues.map((queue, index) => [prices[index], queue.reduce((sum, { lots }) => sum + lots, 0)]),
        best: queues[0]?.[0]?.handle ?? -1,
        orders: queues.flat().map(({ handle }) => handle),
      },
    };
  }
}

const books = [
  ['of numbers', () => new Beside(createNarrowBook)],
  ['of bigints', () => new Beside(createWideBook)],
] as const;

const order = fc.record({
  kind: fc.constantFrom(
    'append',
    'append',
    'append',
    'remove',
    'removeBest',
    'removeAndUndo',
    'removeBestAndUndo',
    'adjust',
  ),
  isBid: fc.boolean(),
  ticks: fc.integer({ min: 1, max: 200 }),
  lots: fc.integer({ min: 2, max: 50 }),
  pick: fc.nat(),
});

describe.each(books)('a book %s', (_, create) => {
  it('keeps all levels when there are more than it had room for', () => {
    const beside = create();
    for (let ticks = 1; ticks <= 150; ticks++)
      for (const side of [buySide, sellSide] as const) {
        beside.append(side, ticks, ticks);
        beside.append(side, ticks, 1_000);
      }
    for (const side of [buySide, sellSide] as const) {
      const { found, expected } = beside.side(side);
      expect(found).toEqual(expected);
    }
  });

  it('refuses to take out as the best order one that is not', () => {
    const beside = create();
    beside.append(buySide, 10, 1);
    beside.append(buySide, 10, 1);
    beside.append(buySide, 9, 1);
    for (const index of [1, 2]) expect(() => beside.removeAsBest(index)).toThrow(/the best order of a side is/);
  });

  it('has the levels and queues of a list of its orders, whatever comes, changes, leaves and is put back', () => {
    fc.assert(
      fc.property(fc.array(order, { minLength: 100, maxLength: 400 }), (steps) => {
        const beside = create();
        for (const { kind, isBid, ticks, lots, pick } of steps) {
          const index = pick % Math.max(1, beside.orders.length);
          if (kind === 'append' || beside.orders.length === 0) beside.append(isBid ? buySide : sellSide, ticks, lots);
          else if (kind === 'adjust') beside.adjust(index, beside.orders[index]!.lots > 1 ? -1 : 1);
          else beside[kind](index);
        }
        for (const side of [buySide, sellSide] as const) {
          const { found, expected } = beside.side(side);
          expect(found).toEqual(expected);
        }
      }),
      { numRuns: 100 },
    );
  });
});
