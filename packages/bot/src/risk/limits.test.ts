import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Quote } from '../strategy/strategy.ts';
import { fakeAccount, fakeMarket } from '../testing/fakes.ts';
import { limitQuotes, type RiskLimits } from './limits.ts';

const market = { ...fakeMarket, lotSize: 2n };
const none: RiskLimits = { positionMax: null, notionalMax: null, lossMax: null };
const quotes: readonly Quote[] = [
  { side: 'buy', price: 90n, size: 10n },
  { side: 'buy', price: 80n, size: 10n },
  { side: 'sell', price: 110n, size: 10n },
  { side: 'sell', price: 120n, size: 10n },
];
const limit = (position: bigint, limits: Partial<RiskLimits>) => {
  const { quotes: left, cut } = limitQuotes({ quotes, takes: [] }, fakeAccount({ position }), market, 100n, {
    ...none,
    ...limits,
  });
  return [left.map(({ side, price, size }) => `${side} ${size}@${price}`), cut];
};

describe('limits', () => {
  it('that are none change nothing', () => {
    expect(limit(1_000n, {})).toEqual([['buy 10@90', 'buy 10@80', 'sell 10@110', 'sell 10@120'], []]);
  });

  it.each([
    [19n, 'buy 8@80', ['position']],
    [20n, 'buy 10@80', []],
    [21n, 'buy 10@80', []],
  ])('of a position of %s: the farther bid is %s', (positionMax, bid, cut) => {
    const [left, found] = limit(0n, { positionMax });
    expect([(left as string[])[1], found]).toEqual([bid, cut]);
  });

  it('of the position lets what reduces it rest, also beyond the limit', () => {
    expect(limit(25n, { positionMax: 20n })).toEqual([['sell 10@110', 'sell 10@120'], ['position']]);
  });

  it.each([
    [1_699n, 'buy 8@80'],
    [1_700n, 'buy 10@80'],
  ])('of a notional of %s: the farther bid is %s', (notionalMax, bid) => {
    const [left] = limit(0n, { notionalMax });
    expect((left as string[])[1]).toBe(bid);
  });

  it('of the notional count the position, and let it be closed', () => {
    expect(limit(10n, { notionalMax: 1_000n })).toEqual([['sell 10@110', 'sell 10@120'].slice(0, 1), ['notional']]);
  });

  it('count what trades at once before what rests', () => {
    const takes: readonly Quote[] = [{ side: 'buy', price: 100n, size: 16n }];
    const left = limitQuotes({ quotes, takes }, fakeAccount({ position: 0n }), market, 100n, {
      ...none,
      positionMax: 20n,
    });
    expect([left.takes[0]!.size, left.quotes[0]!.size]).toEqual([16n, 4n]);
  });

  it('of any position hold even if everything trades', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -60n, max: 60n }), fc.bigInt({ min: 0n, max: 50n }), (position, positionMax) => {
        const left = limitQuotes({ quotes, takes: [] }, fakeAccount({ position }), market, 100n, {
          ...none,
          positionMax,
        }).quotes;
        const sum = (side: string): bigint =>
          left.filter((each) => each.side === side).reduce((all, { size }) => all + size, 0n);
        const [bought, sold] = [position + sum('buy'), position - sum('sell')];
        expect(bought <= positionMax || sum('buy') === 0n).toBe(true);
        expect(sold >= -positionMax || sum('sell') === 0n).toBe(true);
      }),
    );
  });
});
