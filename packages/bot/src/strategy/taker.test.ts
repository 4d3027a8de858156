import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { fakeAccount, fakeMarket } from '../testing/fakes.ts';
import { createTaker } from './taker.ts';
import type { Quote } from './strategy.ts';

const settings = { intervalMs: 100, sizeMin: 5n, sizeMax: 20n, maxPosition: 30n, slippageTicks: 2 };
const market = { ...fakeMarket, tickSize: 5n, lotSize: 5n };
const book = { bids: [{ price: 995n, size: 100n }], asks: [{ price: 1_005n, size: 100n }] };

/** What it does in so many ms. */
function run(seed: number, forMs: number, position = 0n, shown = book): Quote[] {
  const taker = createTaker(settings, createPrng(seed));
  return Array.from({ length: forMs / 10 }, (_, at) => at * 10).flatMap(
    (nowMs) => taker.decide({ market, nowMs, book: shown, account: fakeAccount({ position }), fairPrice: null }).takes,
  );
}

describe('the taker', () => {
  it('trades about as often as it is told, both ways, beyond the best price by its slippage', () => {
    const takes = run(1, 20_000);
    expect(takes.length).toBeGreaterThan(120);
    expect(takes.length).toBeLessThan(300);
    expect(new Set(takes.map(({ side, price }) => `${side} ${price}`))).toEqual(new Set(['buy 1015', 'sell 985']));
    for (const { size } of takes) expect([size >= 5n && size <= 20n, size % 5n]).toEqual([true, 0n]);
  });

  it('of one seed does the same again', () => {
    expect(run(7, 5_000)).toEqual(run(7, 5_000));
    expect(run(7, 5_000)).not.toEqual(run(8, 5_000));
  });

  it.each([
    [25n, 5n],
    [30n, null],
  ])('with a position of %s of 30 buys at most %s', (position, most) => {
    const buys = run(3, 20_000, position).filter(({ side }) => side === 'buy');
    expect(buys.length > 0).toBe(most !== null);
    for (const { size } of buys) expect(size <= most!).toBe(true);
  });

  it('of an empty book takes nothing', () => {
    expect(run(1, 5_000, 0n, { bids: [], asks: [] })).toEqual([]);
  });
});
