import { describe, expect, it } from '@jest/globals';
import type { ActionPayload, ClobParams, OrderFields } from '@prime/codec';
import { type Address, createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { equityOf, isLiquidatable, liquidationState } from './margin/margin.ts';
import { addressOf, createHarness, type Harness, order, orderValue, startMs, type Step } from './testing/harness.ts';
import { brokenInvariants, engineFree } from './testing/invariants.ts';
import { randomBlock, traders } from './testing/streams.ts';

/** The invariants of single actions, each in a block of its own over a book that a random stream has filled. */

interface Scene {
  readonly harness: Harness;
  readonly step: Step;
}

interface Origin {
  readonly seed: number;
  readonly warmUp: number;
  readonly params: Partial<ClobParams>;
}

/** Networks with nothing on, and with what is off by default. */
const networks: readonly Partial<ClobParams>[] = [
  {},
  { fees: { takerPpm: 5000, makerPpm: -2000, treasury: addressOf(9), treasuryShareBps: 2500 } },
  {
    riskTiers: [
      { aboveNotional: 500n, initialMarginBps: 1500, maintenanceMarginBps: 700 },
      { aboveNotional: 4000n, initialMarginBps: 6000, maintenanceMarginBps: 3000 },
    ],
  },
  {
    funding: { intervalSeconds: 2, maxRateBps: 1000, premiumIntervals: 1, referenceWeight: 30 },
    fees: { takerPpm: 5000, makerPpm: 0, treasury: null, treasuryShareBps: 0 },
  },
  {
    limits: { openInterestMax: 200n, positionMax: 90n, priceBandBps: 800, orderNotionalMax: 9000n },
    autoLiquidatePerBlock: 1,
  },
  { fees: { takerPpm: 1000, makerPpm: 30_000, treasury: addressOf(3), treasuryShareBps: 10_000 } },
];
const scene: fc.Arbitrary<Origin> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  warmUp: fc.integer({ min: 5, max: 25 }),
  params: fc.constantFrom(...networks),
});

/** Where trades of any size and price may breach margin. */
const unlimited = scene.filter(({ params }) => params.limits === undefined);

function build({ seed, warmUp, params }: Origin, wanted: (payload: ActionPayload) => boolean): Scene {
  const random = createPrng(seed);
  const harness = createHarness({ params: { maxOpenOrders: 6, ...params } });
  const options = { nowSeconds: Math.floor(startMs / 1000) + 10, risky: true };
  for (let block = 0; block < warmUp; block++) {
    const center = 90 + random.below(20);
    const withdrawable = (): bigint => BigInt(random.below(2000));
    harness.block(randomBlock(random, 6, { ...options, center, withdrawable }), startMs + 1000 * block);
  }
  let step = randomBlock(random, 1, options)[0]!;
  while (!wanted(step.payload)) step = randomBlock(random, 1, options)[0]!;
  return { harness, step };
}

const isOrder = ({ type }: ActionPayload): boolean => type === 'order';

/** Something as it is at the mark prices that the block had, which the end of the block moves. */
function atMarks<T>({ state }: Harness, marks: readonly (bigint | null)[], compute: () => T): T {
  const moved = state.markets.map(({ markPrice }) => markPrice);
  const set = (prices: readonly (bigint | null)[]): void =>
    state.markets.forEach((market, index) => {
      market.markPrice = prices[index]!;
    });
  set(marks);
  const result = compute();
  set(moved);
  return result;
}

const marksOf = ({ state }: Harness): (bigint | null)[] => state.markets.map(({ markPrice }) => markPrice);

const [debtor, dealer, mover] = [addressOf(0xdeb7), addressOf(0xdea1), addressOf(0x30e4)];

/** A position with no more margin than it needs, and then a price that falls by more than any margin; others trade around it. */
function breachMargin({ state, act, deposit, block }: Harness, { seed }: Origin): void {
  for (const account of traders) act(account, { type: 'cancelAll', marketId: null });
  for (const account of [dealer, mover]) deposit(account, 1_000_000n);
  const trade = (buyer: Address, seller: Address, price: bigint, size: bigint): boolean => {
    orderValue(act(seller, order('sell', price, size)));
    const bought = act(buyer, order('buy', price, size)).ok;
    if (!bought) act(seller, { type: 'cancelAll', marketId: null });
    return bought;
  };
  do deposit(debtor, 500n);
  while (!trade(debtor, dealer, 100n, 100n));
  expect(trade(mover, dealer, 40n, 1n)).toBe(true);
  expect(state.markets[1]!.markPrice).toBe(40n);
  block(randomBlock(createPrng(seed + 1), 12, { nowSeconds: Math.floor(startMs / 1000) + 30, center: 40 }));
}

describe('after any action', () => {
  it('I1, I2, I6-I10, I15: books, sums, positions and escrow are what a recount gives', () => {
    fc.assert(
      fc.property(scene, (from) => {
        const { harness, step } = build(from, () => true);
        harness.block([step]);
        expect(brokenInvariants(harness.state)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('I3, I4: filled + remaining is the size, trades add up to filled, no price is beyond a limit, fok is all or nothing', () => {
    fc.assert(
      fc.property(scene, (from) => {
        const { harness, step } = build(from, isOrder);
        const fields = step.payload as OrderFields & ActionPayload;
        const [result] = harness.block([step]).results;
        if (!result!.ok) return;
        const { filled, remaining, trades, status } = orderValue(result!);
        expect(trades.reduce((sum, { size }) => sum + size, 0n)).toBe(filled);
        if (fields.selfTrade !== 'decrement') expect(filled + remaining).toBe(fields.size);
        for (const { price } of trades)
          expect(fields.side === 'buy' ? price <= fields.price : price >= fields.price).toBe(true);
        if (fields.tif !== 'fok') return;
        expect([0n, fields.reduceOnly ? filled : fields.size]).toContain(filled);
        expect(status === 'killed').toBe(filled === 0n);
      }),
      { numRuns: 200 },
    );
  });

  it('I5: no resting order of somebody else was passed over for a worse price or a younger order', () => {
    fc.assert(
      fc.property(scene, (from) => {
        const { harness, step } = build(from, isOrder);
        const [result] = harness.block([step]).results;
        if (!result!.ok) return;
        const { trades, marketId } = orderValue(result!);
        const { state } = harness;
        const { book, tickSize } = state.market(marketId)!;
        const buys = (step.payload as OrderFields & ActionPayload).side === 'buy';
        for (const handle of book.orders(buys ? 1 : 0)) {
          const price = BigInt(book.columns.ticks[handle]!) * tickSize;
          const id = state.orders.id[handle]!;
          for (const trade of trades) {
            const isBetter = buys ? price < trade.price : price > trade.price;
            expect(isBetter || (price === trade.price && id < trade.makerOrderId)).toBe(false);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('I12: an order that can add to a position leaves free collateral that is not negative', () => {
    fc.assert(
      fc.property(scene, (from) => {
        const { harness, step } = build(from, isOrder);
        const { marketId, side } = step.payload as OrderFields & ActionPayload;
        const marks = marksOf(harness);
        const exposure = harness.state.accountOf
          .get(step.account)
          ?.exposures.find((candidate) => candidate.marketId === marketId);
        const held = exposure?.size ?? 0n;
        const [result] = harness.block([step]).results;
        // Reducing orders are let in without margin; without a mark the first trade sets the price of margin.
        const mayReduce = side === 'buy' ? held < 0n : held > 0n;
        if (!result!.ok || mayReduce || marks.includes(null)) return;
        expect(atMarks(harness, marks, () => engineFree(harness.state, step.account)) >= 0n).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('nobody trades his account, or that of a maker, below zero at the prices of the block', () => {
    fc.assert(
      fc.property(scene, (from) => {
        const { harness, step } = build(from, isOrder);
        const { state } = harness;
        const marks = marksOf(harness);
        if (marks.includes(null)) return;
        const equities = (): Map<string, bigint> =>
          new Map(state.accounts.map((account) => [account.address, equityOf(account, state.marginMarket)]));
        const before = equities();
        harness.block([step]);
        const after = atMarks(harness, marks, equities);
        const sunk = [...after].filter(([address, equity]) => equity < 0n && (before.get(address) ?? 0n) >= 0n);
        expect(sunk).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('I13: neither a withdrawal nor a transfer leaves free collateral negative', () => {
    fc.assert(
      fc.property(scene, (from) => {
        const { harness, step } = build(from, ({ type }) => type === 'withdraw' || type === 'transfer');
        const marks = marksOf(harness);
        const [result] = harness.block([step]).results;
        if (!result!.ok) return;
        expect(atMarks(harness, marks, () => engineFree(harness.state, step.account)) >= 0n).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('P2, P3: liquidation leaves who had something with what he had, and closes whole who had less than nothing', () => {
    fc.assert(
      fc.property(unlimited, fc.nat(), (from, choice) => {
        const { harness } = build(from, () => true);
        const { state } = harness;
        breachMargin(harness, from);
        const breached = state.accounts.filter((account) =>
          isLiquidatable(liquidationState(account, state.marginMarket)),
        );
        expect(breached.map(({ address }) => address)).toContain(debtor);
        const target = breached[choice % breached.length]!;
        const marks = marksOf(harness);
        const { address } = target;
        const had = liquidationState(target, state.marginMarket).equity;
        const others = new Map(
          state.accounts.map((account) => [account.address, equityOf(account, state.marginMarket)]),
        );
        const [result] = harness.block([{ account: address, payload: { type: 'liquidate', address } }]).results;
        if (!result!.ok || result!.value.type !== 'liquidate') throw new Error('the liquidation was refused');
        for (const { size, closed, remaining, trades, adl } of result!.value.positions) {
          const parts = [...trades, ...adl].reduce((sum, part) => sum + part.size, 0n);
          expect([parts + remaining, closed]).toEqual([size < 0n ? -size : size, parts]);
          if (had >= 0n) expect(adl).toEqual([]);
          else expect(remaining).toBe(0n);
        }
        atMarks(harness, marks, () => {
          const { equity } = liquidationState(target, state.marginMarket);
          expect(equity >= 0n && (had < 0n || equity <= had)).toBe(true);
          if (had < 0n) expect(isLiquidatable(liquidationState(target, state.marginMarket))).toBe(false);
          // Nobody else is taken below what he is short of already.
          for (const account of state.accounts) {
            const before = others.get(account.address) ?? 0n;
            if (account !== target && before >= 0n) expect(equityOf(account, state.marginMarket) >= 0n).toBe(true);
          }
        });
        expect(brokenInvariants(state)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
