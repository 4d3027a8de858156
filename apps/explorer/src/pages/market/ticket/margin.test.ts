import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { initialMargin, largestSize, orderCost } from './margin.ts';

const rates = { initialMarginBps: 1_000, markPrice: 100n, lastPrice: 90n, lotSize: 10n };
const buy = (price: bigint, remaining: bigint) => ({ side: 'buy' as const, price, remaining });
const order = (side: 'buy' | 'sell', price: bigint, size: bigint) => ({ side, price, size });
const nothing = { position: 0n, orders: [] };

describe('what an order takes', () => {
  it.each([
    ['at the mark: its margin', nothing, order('buy', 100n, 50n), 500n],
    ['above the mark: also what it would lose at once', nothing, order('buy', 110n, 50n), 1_000n],
    ['below the mark: its margin at the mark', nothing, order('buy', 90n, 50n), 500n],
    ['a sell below the mark loses, too', nothing, order('sell', 98n, 50n), 600n],
    ['against a position: nothing', { position: 80n, orders: [] }, order('sell', 100n, 50n), 0n],
    ['through a position: what is left of it', { position: 20n, orders: [] }, order('sell', 100n, 50n), 100n],
    [
      'beside an open order that reduces: what goes beyond',
      { position: 80n, orders: [] },
      order('sell', 100n, 200n),
      400n,
    ],
    [
      'on the smaller side of what is open: nothing',
      { position: 0n, orders: [buy(100n, 80n)] },
      order('sell', 100n, 50n),
      0n,
    ],
    [
      'an old order deep in the book makes up for nothing',
      { position: 0n, orders: [buy(50n, 10n)] },
      order('buy', 110n, 10n),
      200n,
    ],
  ] as const)('%s', (_, exposure, asked, margin) => {
    expect(orderCost(exposure, asked, rates).margin).toBe(margin);
  });

  it('without a mark is judged at the last price, and without that at its limit', () => {
    expect(orderCost(nothing, order('buy', 110n, 10n), { ...rates, markPrice: null }).margin).toBe(90n + 200n);
    expect(orderCost(nothing, order('buy', 110n, 10n), { ...rates, markPrice: null, lastPrice: null }).margin).toBe(
      110n,
    );
  });

  it('has a fee where the network has fees, rounded up, and never less than none', () => {
    const fee = (takerPpm: number, makerPpm: number) =>
      orderCost(nothing, order('buy', 100n, 33n), { ...rates, fees: { takerPpm, makerPpm } }).fee;
    expect([fee(500, 100), fee(0, -100), orderCost(nothing, order('buy', 100n, 33n), rates).fee]).toEqual([
      2n,
      0n,
      null,
    ]);
  });

  it('of a large position is by tiers, each for its own part', () => {
    const tiered = {
      initialMarginBps: 1_000,
      riskTiers: [
        { aboveNotional: 1_000n, initialMarginBps: 500, maintenanceMarginBps: 1 },
        { aboveNotional: 2_000n, initialMarginBps: 2_000, maintenanceMarginBps: 1 },
      ],
    };
    expect([500n, 2_000n, 3_001n].map((notional) => initialMargin(notional, tiered))).toEqual([50n, 200n, 401n]);
  });
});

describe('the largest size', () => {
  const side = fc.constantFrom('buy' as const, 'sell' as const);
  const amount = fc.bigInt({ min: 1n, max: 100_000n });

  it('is covered, and a lot more is not', () => {
    const property = fc.property(
      side,
      amount,
      amount,
      fc.bigInt({ min: -500n, max: 500n }),
      (which, price, free, held) => {
        const exposure = { position: held * 10n, orders: [] };
        const withFees = { ...rates, fees: { takerPpm: 500, makerPpm: 100 } };
        const size = largestSize(exposure, { side: which, price }, free, withFees);
        expect(size % rates.lotSize).toBe(0n);
        const cost = (of: bigint) => {
          const { margin, fee } = orderCost(exposure, order(which, price, of), withFees);
          return margin === 0n ? 0n : margin + fee!;
        };
        expect(cost(size)).toBeLessThanOrEqual(free);
        expect(cost(size + rates.lotSize)).toBeGreaterThan(free);
      },
    );
    fc.assert(property);
  });
});
