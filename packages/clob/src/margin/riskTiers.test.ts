import { describe, expect, it } from '@jest/globals';
import { defaultMarketDecimals, type RiskTier } from '@prime/codec';
import fc from 'fast-check';
import { ensureAccount } from '../state/changes.ts';
import { isLiquidatable, liquidationState, maintenanceOf, marginState } from './margin.ts';
import { alice, bob, carol, createHarness, type Harness, marketId, order, wordsOf } from '../testing/harness.ts';

/** 10 / 5 % up to 1000 wei, 20 / 10 % of what is above, 50 / 40 % above 5000. */
const riskTiers: readonly RiskTier[] = [
  { aboveNotional: 1000n, initialMarginBps: 2000, maintenanceMarginBps: 1000 },
  { aboveNotional: 5000n, initialMarginBps: 5000, maintenanceMarginBps: 4000 },
];
const rates = { initialMarginBps: 1000, maintenanceMarginBps: 500, riskTiers };
const maintenance = (notional: bigint): bigint => maintenanceOf(notional, 1n, rates);

function held({ state }: Harness, owner: typeof alice) {
  const account = ensureAccount(state, owner);
  const { initial, maintenance: needed } = marginState(account, state.marginMarket);
  return [initial, needed];
}

describe('margin by tiers', () => {
  it('charges each part of the notional by its own tier, and rounds up once', () => {
    expect([0n, 1000n, 1001n, 5000n, 10_000n].map(maintenance)).toEqual([0n, 50n, 51n, 450n, 2450n]);
    // 50 and 10 % of 7.
    expect(maintenance(1007n)).toBe(51n);
  });

  it('is monotone, has no jumps, and is never less than without tiers', () => {
    const notional = fc.bigInt({ min: 0n, max: 1n << 200n });
    fc.assert(
      fc.property(fc.oneof(notional, fc.bigInt({ min: 900n, max: 6000n })), (size) => {
        const step = maintenance(size + 1n) - maintenance(size);
        expect(step === 0n || step === 1n).toBe(true);
        expect(maintenance(size) >= maintenanceOf(size, 1n, { ...rates, riskTiers: undefined })).toBe(true);
        // One position never needs less than its parts would, but for their rounding.
        expect(maintenance(2n * size) + 1n >= 2n * maintenance(size)).toBe(true);
      }),
    );
  });

  it('the margin that an administrator sets for the market counts where it is higher', () => {
    const high = { ...rates, initialMarginBps: 3000, maintenanceMarginBps: 3000 };
    // 30 % up to 5000, 40 % of what is above.
    expect(maintenanceOf(10_000n, 1n, high)).toBe(3500n);
  });
});

describe('a market with tiers', () => {
  const market = (): Harness => {
    const harness = createHarness({ params: { riskTiers } });
    for (const owner of [bob, carol]) harness.deposit(owner, 1_000_000n);
    return harness;
  };

  it('admission counts the whole position and all open orders of a side', () => {
    const harness = market();
    harness.act(bob, order('sell', 100n, 1n));
    harness.act(carol, order('buy', 100n, 1n));
    // 100 and 20 % of 4000 for 50 units, then 50 % of each wei.
    harness.deposit(alice, 900n);
    expect(harness.act(alice, order('buy', 100n, 50n)).ok).toBe(true);
    expect(wordsOf(harness.act(alice, order('buy', 100n, 1n)))).toBe('insufficient margin: required 0x32, free 0x0');
    expect(wordsOf(harness.act(alice, order('buy', 100n, 1n, { marketId: marketId(1) })))).toMatch(/lot/);
  });

  it('a maker is judged at the size that it would have', () => {
    const harness = market();
    harness.act(bob, order('sell', 100n, 1n));
    harness.act(carol, order('buy', 100n, 1n));
    harness.deposit(alice, 900n);
    harness.act(alice, order('buy', 100n, 50n));
    harness.act(alice, { type: 'withdraw', to: alice, amount: 1n });
    harness.act(alice, { type: 'cancelAll', marketId: null });
    harness.act(alice, order('buy', 100n, 49n));
    expect(held(harness, alice)).toEqual([880n, 0n]);
    harness.act(bob, order('sell', 100n, 49n));
    expect(held(harness, alice)).toEqual([880n, 440n]);
  });

  it('larger positions are liquidated earlier, and end healthy', () => {
    const harness = market();
    harness.deposit(alice, 3500n);
    harness.act(bob, order('sell', 100n, 100n));
    // 900 and 50 % of 5000.
    expect(harness.act(alice, order('buy', 100n, 100n)).ok).toBe(true);
    harness.act(bob, order('sell', 89n, 1n));
    harness.act(carol, order('buy', 89n, 1n));
    const { state } = harness;
    const health = () => liquidationState(ensureAccount(state, alice), state.marginMarket);
    // At 89 equity is 2400; 50 + 400 + 40 % of 3900 are 2010. At 86 it is 2100 against 1890, at 84 1900 against 1810.
    expect([health(), isLiquidatable(health())]).toEqual([{ equity: 2400n, maintenance: 2010n }, false]);
    harness.act(bob, order('sell', 81n, 1n));
    harness.act(carol, order('buy', 81n, 1n));
    expect(health()).toEqual({ equity: 1600n, maintenance: 1690n });
    harness.act(carol, order('buy', 80n, 100n));
    expect(harness.act(bob, { type: 'liquidate', address: alice }).ok).toBe(true);
    expect(isLiquidatable(health())).toBe(false);
  });

  it('keeps its tiers over a restart; a market of genesis may have its own', () => {
    const own = [{ aboveNotional: 7n, initialMarginBps: 9000, maintenanceMarginBps: 9000 }];
    const harness = createHarness({
      params: { riskTiers },
      markets: [
        { symbol: 'A/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals },
        { symbol: 'B/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals, riskTiers: own },
      ],
    });
    harness.act(bob, { type: 'addMarket', symbol: 'C/USD', tickSize: 1n, lotSize: 1n, ...defaultMarketDecimals });
    harness.restart();
    expect(harness.state.markets.map((market) => market.riskTiers)).toEqual([riskTiers, own, riskTiers]);
  });
});
