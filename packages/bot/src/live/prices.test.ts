import { describe, expect, it } from '@jest/globals';
import { createBookPrice, createFixedPrice, createHttpPrice } from './prices.ts';

const level = (price: bigint) => ({ price, size: 1n });
const empty = { bids: [], asks: [] };

describe('the fair price', () => {
  it('of a book is its middle, else the last price, else the start', () => {
    let last: bigint | null = null;
    const source = createBookPrice(() => last, 50n);
    expect(source.price({ bids: [level(1_000n)], asks: [level(1_010n)] }, 0)).toBe(1_005n);
    expect(source.price(empty, 0)).toBe(50n);
    last = 77n;
    expect(source.price({ bids: [level(1_000n)], asks: [] }, 0)).toBe(77n);
  });

  it.each([
    [1_050n, 1_025n],
    [1_051n, 7n],
  ])('of quotes of 1000 and %s is %s: what is too far apart says nothing', (ask, price) => {
    expect(createBookPrice(() => 7n, null).price({ bids: [level(1_000n)], asks: [level(ask)] }, 0)).toBe(price);
  });

  it('may be fixed', () => {
    expect(createFixedPrice(5n).price(empty, 0)).toBe(5n);
  });

  it('from outside is known until it is too old, and what is no number is told', async () => {
    const answers: unknown[] = [{ data: { price: '12.5' } }, { data: {} }, { data: { price: 13 } }];
    const troubles: string[] = [];
    let ask = (): void => undefined;
    let nowMs = 1_000;
    const source = createHttpPrice({
      url: 'http://price.example',
      field: 'data.price',
      pollMs: 10,
      maxAgeMs: 100,
      parse: (text) => BigInt(Math.round(Number(text) * 10)),
      now: () => nowMs,
      every: (_ms, work) => {
        ask = work;
        return () => undefined;
      },
      get: () => Promise.resolve(answers.shift()),
      onTrouble: (message) => void troubles.push(message),
    });
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await settled();
    expect([source.price(empty, 1_100), source.price(empty, 1_101)]).toEqual([125n, null]);
    ask();
    await settled();
    expect(troubles).toEqual(['the answer has no number at "data.price"']);
    nowMs = 2_000;
    ask();
    await settled();
    expect(source.price(empty, 2_000)).toBe(130n);
  });
});
