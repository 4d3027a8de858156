import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Book } from '../market.ts';
import { fakeAccount, fakeMarket } from '../testing/fakes.ts';
import { createMarketMaker, type MarketMakerSettings } from './marketMaker.ts';

const settings: MarketMakerSettings = {
  spreadBps: 100,
  levels: 3,
  levelGapBps: 50,
  size: 10n,
  minEdgeBps: 10,
  targetPosition: 0n,
  maxPosition: 100n,
  skewBps: 40,
};
const empty: Book = { bids: [], asks: [] };
const ask = (fairPrice: bigint | null, position = 0n, book = empty, changes: Partial<MarketMakerSettings> = {}) =>
  createMarketMaker({ ...settings, ...changes })
    .decide({ market: fakeMarket, nowMs: 0, book, account: fakeAccount({ position }), fairPrice })
    .quotes.map(({ side, price, size }) => `${side} ${size}@${price}`);

describe('the reference market maker', () => {
  it('quotes its levels around the fair price', () => {
    expect(ask(10_000n)).toEqual([
      'buy 10@9950',
      'buy 10@9900',
      'buy 10@9850',
      'sell 10@10050',
      'sell 10@10100',
      'sell 10@10150',
    ]);
  });

  it('moves against its position, and keeps its edge on the side that it wants', () => {
    expect(ask(10_000n, 50n).filter((text) => text.includes('@9930') || text.includes('@10030'))).toEqual([
      'buy 10@9930',
      'sell 10@10030',
    ]);
    expect(ask(10_000n, 100n, empty, { skewBps: 200 })).toEqual(['sell 10@10010', 'sell 10@10060', 'sell 10@10110']);
    expect(ask(10_000n, -100n, empty, { skewBps: 200 })).toEqual(['buy 10@9990', 'buy 10@9940', 'buy 10@9890']);
  });

  it.each([
    [90n, ['10']],
    [95n, ['5']],
    [99n, ['1']],
    [100n, []],
    [101n, []],
  ])('with a position of %s of 100 buys %j more', (position, sizes) => {
    const bids = ask(10_000n, position).filter((text) => text.startsWith('buy'));
    expect(bids.map((text) => /buy (\d+)@/.exec(text)![1])).toEqual(sizes);
  });

  it('never crosses the book of the others', () => {
    const book = { bids: [{ price: 10_060n, size: 1n }], asks: [{ price: 10_070n, size: 1n }] };
    expect(ask(10_000n, 0n, book)[3]).toBe('sell 10@10061');
    expect(ask(10_200n, 0n, book)[0]).toBe('buy 10@10069');
  });

  it('wants nothing without a fair price', () => {
    expect(ask(null)).toEqual([]);
    expect(ask(0n)).toEqual([]);
  });

  it('of any settings quotes on the grid, above zero, never crossed, within its position', () => {
    fc.assert(
      fc.property(
        fc.record({
          spreadBps: fc.nat(500),
          levels: fc.integer({ min: 1, max: 6 }),
          levelGapBps: fc.nat(100),
          minEdgeBps: fc.nat(100),
          skewBps: fc.nat(1_000),
          size: fc.bigInt({ min: 1n, max: 50n }),
        }),
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        fc.bigInt({ min: -150n, max: 150n }),
        fc.bigInt({ min: 1n, max: 7n }),
        (changes, fairPrice, position, tickSize) => {
          const wanted = createMarketMaker({ ...settings, ...changes }).decide({
            market: { ...fakeMarket, tickSize, lotSize: 3n },
            nowMs: 0,
            book: empty,
            account: fakeAccount({ position }),
            fairPrice,
          });
          const sides = {
            buy: wanted.quotes.filter(({ side }) => side === 'buy'),
            sell: wanted.quotes.filter(({ side }) => side === 'sell'),
          };
          for (const { price, size } of wanted.quotes)
            expect([price > 0n, price % tickSize, size > 0n, size % 3n]).toEqual([true, 0n, true, 0n]);
          for (const bid of sides.buy) for (const offer of sides.sell) expect(bid.price < offer.price).toBe(true);
          const sum = (side: 'buy' | 'sell'): bigint => sides[side].reduce((all, { size }) => all + size, 0n);
          if (sides.buy.length > 0) expect(position + sum('buy') <= 100n).toBe(true);
          if (sides.sell.length > 0) expect(position - sum('sell') >= -100n).toBe(true);
          expect(new Set(wanted.quotes.map(({ price }) => price)).size).toBe(wanted.quotes.length);
        },
      ),
    );
  });
});
