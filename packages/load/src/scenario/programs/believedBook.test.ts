import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { BelievedBook, type NewOrder } from './believedBook.ts';

let labels = 0;
const order = (isBuy: boolean, price: number, size: number, more: Partial<NewOrder> = {}): NewOrder => ({
  owner: isBuy ? 1 : 2,
  label: `${++labels}`,
  isBuy,
  price,
  size,
  tif: 'gtc',
  ...more,
});
/** Prices and sizes of all that rests, by picking until nothing is left. */
function rest(book: BelievedBook): string[] {
  const found: string[] = [];
  for (let at = book.pick(createPrng(1)); at !== null; at = book.pick(createPrng(1))) {
    found.push(`${at.isBuy ? 'buy' : 'sell'} ${at.size}@${at.price}`);
    book.remove(at);
  }
  return found.toSorted();
}

describe('a believed book', () => {
  it('orders that do not cross rest, the best of each side is known', () => {
    const book = new BelievedBook();
    for (const price of [98, 99, 97]) book.place(order(true, price, 1));
    for (const price of [102, 101, 103]) book.place(order(false, price, 1));
    expect([book.count, book.best(true), book.best(false)]).toEqual([6, 99, 101]);
  });

  it('a taker takes the best price first, then the oldest, and what is left rests', () => {
    const book = new BelievedBook();
    book.place(order(false, 101, 5));
    book.place(order(false, 100, 3));
    book.place(order(false, 100, 4));
    book.place(order(true, 100, 5));
    expect([book.count, book.best(false)]).toEqual([2, 100]);
    book.place(order(true, 101, 9));
    expect(rest(book)).toEqual(['buy 2@101']);
  });

  it('ioc leaves nothing, fok trades all or nothing', () => {
    const book = new BelievedBook();
    book.place(order(false, 100, 5));
    book.place(order(true, 100, 6, { tif: 'fok' }));
    expect(book.count).toBe(1);
    book.place(order(true, 99, 6, { tif: 'ioc' }));
    book.place(order(true, 100, 5, { tif: 'fok' }));
    expect([book.count, book.best(false), book.best(true)]).toEqual([0, null, null]);
  });

  it('an order that meets one of its owner takes it out without a trade', () => {
    const book = new BelievedBook();
    book.place(order(false, 100, 5, { owner: 1 }));
    book.place(order(false, 100, 5));
    book.place(order(true, 100, 7));
    expect(rest(book)).toEqual(['buy 2@100']);
  });

  it('orders come and go at random: it holds what a plain list holds', () => {
    const random = createPrng(5);
    const book = new BelievedBook();
    let count = 0;
    for (let turn = 0; turn < 5_000; turn++) {
      const isBuy = random.chance(1, 2);
      // Never across the middle, so that nothing trades and the count is exact.
      if (random.chance(3, 5)) {
        book.place(order(isBuy, isBuy ? 1_000 - random.below(50) : 1_001 + random.below(50), 1 + random.below(5)));
        count++;
      } else {
        const picked = book.pick(random);
        if (picked !== null) {
          book.remove(picked);
          count--;
        }
      }
      expect(book.count).toBe(count);
    }
    const left = rest(book);
    expect(left.length).toBe(count);
    expect([book.best(true), book.best(false)]).toEqual([null, null]);
  });
});
