import { describe, expect, it } from '@jest/globals';
import type { FundingParams } from '@prime/codec';
import { createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { ensureAccount } from '../state/changes.ts';
import { settleAllFunding, unsettledFunding } from './funding.ts';
import { accountMargin, equityOf, liquidationState } from './margin.ts';
import { addressOf, alice, bob, carol, createHarness, type Harness, order, startMs } from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { randomBlock } from '../testing/streams.ts';

const dave = addressOf(0xda7e);
const scaled = (wei: bigint): bigint => wei * 10n ** 9n;
const params: FundingParams = { intervalSeconds: 10, maxRateBps: 1000, premiumIntervals: 2, referenceWeight: 128 };

/** Alice is long 10 of market 2 from 100, Bob short; the first interval is over, with an average of 100. */
function market(changes: Partial<FundingParams> = {}): Harness {
  const harness = createHarness({ params: { funding: { ...params, ...changes } } });
  for (const owner of [alice, bob, carol, dave]) harness.deposit(owner, 10_000n);
  trade(harness, alice, bob, 100n, 10n, startMs + 1000);
  harness.block([], startMs + 10_000);
  expect(harness.state.markets[1]!.funding).toMatchObject({ index: 0n, reference: scaled(100n) });
  return harness;
}

function trade(harness: Harness, buyer: typeof alice, seller: typeof alice, price: bigint, size: bigint, atMs: number) {
  harness.block(
    [
      { account: buyer, payload: order('buy', price, size) },
      { account: seller, payload: order('sell', price, size) },
    ],
    atMs,
  );
}

/** The mark stands at a price for the whole second interval. */
function atPrice(price: bigint, changes: Partial<FundingParams> = {}): Harness {
  const harness = market(changes);
  trade(harness, carol, dave, price, 1n, startMs + 10_000);
  harness.block([], startMs + 20_000);
  return harness;
}

const marginOf = ({ state }: Harness, owner: typeof alice) =>
  accountMargin(ensureAccount(state, owner), state.marginMarket);
const collateral = ({ state }: Harness, owner: typeof alice): bigint => ensureAccount(state, owner).collateral;
const touch = (harness: Harness, owner: typeof alice) =>
  harness.act(owner, { type: 'transfer', to: owner, amount: 1n });
const fundingEvents = (harness: Harness): unknown[] =>
  harness.events().flatMap(({ kind, data }) => (kind.startsWith('funding_') ? [data] : []));

describe('funding', () => {
  it('a block that is dropped leaves nothing of its interval, also before any other', () => {
    const [dropped, never] = [0, 1].map(() => createHarness({ params: { funding: params } })) as [Harness, Harness];
    dropped.drop([], startMs + 35_000);
    const steps = [{ account: alice, payload: order('buy', 100n, 10n) }];
    expect(dropped.block(steps, startMs + 5000).ordersRoot).toBe(never.block(steps, startMs + 5000).ordersRoot);
  });

  it('a mark above the reference has longs pay shorts a part of the premium', () => {
    const harness = atPrice(110n);
    // 110 against 100, paid over 2 intervals.
    expect(fundingEvents(harness)).toEqual([
      {
        market_id: 2,
        index: scaled(5n),
        change: scaled(5n),
        average: scaled(110n),
        reference: scaled(100n),
      },
    ]);
    const owners = [alice, bob, carol, dave];
    expect(owners.map((owner) => marginOf(harness, owner).unsettled)).toEqual([-50n, 50n, -5n, 5n]);
    expect(owners.map((owner) => collateral(harness, owner))).toEqual([10_000n, 10_000n, 10_000n, 10_000n]);
    // Half of the way.
    expect(harness.state.markets[1]!.funding!.reference).toBe(scaled(105n));
  });

  it('a mark below it has shorts pay longs', () => {
    const harness = atPrice(90n);
    expect([alice, bob].map((owner) => marginOf(harness, owner).unsettled)).toEqual([50n, -50n]);
  });

  it('is at most so much of the reference in one interval, both ways', () => {
    expect(atPrice(150n, { maxRateBps: 100 }).state.markets[1]!.funding!.index).toBe(scaled(1n));
    expect(atPrice(50n, { maxRateBps: 100 }).state.markets[1]!.funding!.index).toBe(-scaled(1n));
  });

  it('weighs each mark by the time for which it stood', () => {
    const harness = market();
    trade(harness, carol, dave, 120n, 1n, startMs + 18_000);
    harness.block([], startMs + 20_000);
    // 100 for 8 s, 120 for 2 s.
    expect(fundingEvents(harness)).toMatchObject([{ average: scaled(104n), change: scaled(2n) }]);
  });

  it('is paid once for all the time without blocks', () => {
    const harness = market();
    trade(harness, carol, dave, 110n, 1n, startMs + 10_000);
    harness.block([], startMs + 95_000);
    expect(harness.state.markets[1]!.funding!.index).toBe(scaled(5n));
    harness.block([], startMs + 99_999);
    expect(harness.state.markets[1]!.funding!.index).toBe(scaled(5n));
  });

  it('settles when something touches the position; the pool is what the others are owed', () => {
    const harness = atPrice(110n);
    const pool = (): bigint => harness.state.globals.funding!.pool;
    touch(harness, alice);
    expect(fundingEvents(harness)).toEqual([
      { address: alice, market_id: 2, size: 10n, amount: -50n, index: scaled(5n), insurance: 0n },
    ]);
    expect([collateral(harness, alice), pool()]).toEqual([9950n, 50n]);
    trade(harness, bob, carol, 110n, 1n, startMs + 21_000);
    expect([collateral(harness, bob), collateral(harness, carol), pool()]).toEqual([10_040n, 9995n, 5n]);
    touch(harness, dave);
    expect([collateral(harness, dave), pool()]).toEqual([10_005n, 0n]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('rounds against the position; whole wei of what is left go to the insurance fund', () => {
    const harness = atPrice(110n, { premiumIntervals: 3 });
    expect([alice, bob].map((owner) => marginOf(harness, owner).unsettled)).toEqual([-34n, 33n]);
    touch(harness, alice);
    expect(harness.state.globals.insurance).toBe(0n);
    touch(harness, bob);
    expect(fundingEvents(harness)).toMatchObject([{ amount: 33n, insurance: 1n }]);
    expect(harness.state.globals.insurance).toBe(1n);
  });

  it('can be what makes an account liquidatable', () => {
    const harness = market({ maxRateBps: 10_000, premiumIntervals: 1 });
    harness.act(alice, { type: 'withdraw', to: alice, amount: 9900n });
    trade(harness, carol, dave, 106n, 1n, startMs + 11_000);
    expect(marginOf(harness, alice)).toMatchObject({ equity: 160n, isLiquidatable: false });
    harness.block([], startMs + 20_000);
    // 100 for 1 s, 106 for 9: 54 to pay; 106 are left where 53 are needed. In the next interval it is 106 against 102.7.
    expect(marginOf(harness, alice)).toMatchObject({ equity: 106n, isLiquidatable: false });
    trade(harness, carol, dave, 103n, 1n, startMs + 21_000);
    trade(harness, carol, dave, 108n, 1n, startMs + 21_000);
    harness.block([], startMs + 30_000);
    trade(harness, carol, dave, 101n, 1n, startMs + 31_000);
    expect(marginOf(harness, alice).isLiquidatable).toBe(true);
    expect(harness.act(dave, { type: 'liquidate', address: alice }).ok).toBe(true);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('goes on after a restart as if there had been none', () => {
    const [one, other] = [atPrice(110n), atPrice(110n)];
    touch(one, alice);
    touch(other, alice);
    one.restart();
    for (const harness of [one, other]) {
      trade(harness, carol, dave, 90n, 1n, startMs + 24_000);
      harness.block([], startMs + 30_000);
      touch(harness, bob);
    }
    expect(one.engine.ordersRoot()).toBe(other.engine.ordersRoot());
    expect(marginOf(one, alice)).toEqual(marginOf(other, alice));
  });

  it('nobody gets more by settling often', () => {
    const change = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    fc.assert(
      fc.property(fc.bigInt({ min: -1000n, max: 1000n }), fc.array(change), (size, changes) => {
        let index = 0n;
        let settled = 0n;
        for (const by of changes) {
          settled += unsettledFunding({ size, fundingIndex: index }, index + by);
          index += by;
        }
        expect(settled <= unsettledFunding({ size, fundingIndex: 0n }, index)).toBe(true);
      }),
    );
  });
});

describe('what an account shows', () => {
  it('is the same whether its funding is settled or not', () => {
    let owing = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 4 }), (seed, minTrades) => {
        const mark = { impactNotional: 0n, emaWeight: 0, maxMoveBps: 0, minTrades };
        const funding = { intervalSeconds: 1, maxRateBps: 2000, premiumIntervals: 1, referenceWeight: 60 };
        const harness = createHarness({ params: { funding, mark, maxOpenOrders: 6 } });
        const random = createPrng(seed);
        for (let block = 1; block <= 20; block++) {
          const center = 60 + random.below(80);
          const options = { nowSeconds: startMs / 1000 + block, center, risky: true };
          harness.block(randomBlock(random, 8, options), startMs + 1000 * block);
        }
        const { state } = harness;
        for (const account of state.accounts) {
          const shown = () => {
            const { unsettled: _, ...margin } = accountMargin(account, state.marginMarket);
            return [margin, liquidationState(account, state.marginMarket), equityOf(account, state.marginMarket)];
          };
          const before = shown();
          if (accountMargin(account, state.marginMarket).unsettled !== 0n) owing++;
          settleAllFunding(state, account);
          expect(accountMargin(account, state.marginMarket).unsettled).toBe(0n);
          expect(shown()).toEqual(before);
        }
        expect(brokenInvariants(state)).toEqual([]);
        // All have settled, so nothing is on its way.
        expect(state.globals.funding!.pool).toBe(0n);
      }),
      { numRuns: 40 },
    );
    expect(owing).toBeGreaterThan(20);
  });
});
