import { describe, expect, it } from '@jest/globals';
import type { FeeParams } from '@prime/codec';
import { createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { ensureAccount } from '../state/changes.ts';
import { feeReserve } from './fees.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  order,
  orderValue,
  startMs,
  wordsOf,
} from '../testing/harness.ts';
import { randomBlock } from '../testing/streams.ts';

const treasury = addressOf(0x7e);
/** 1 % and a rebate of 0.4 %. */
const rebates: FeeParams = { takerPpm: 10_000, makerPpm: -4000, treasury: null, treasuryShareBps: 0 };

function market(fees: FeeParams): Harness {
  const harness = createHarness({ params: { fees } });
  for (const owner of [alice, bob, carol]) harness.deposit(owner, 100_000n);
  return harness;
}
const collateral = ({ state }: Harness, owner: typeof alice): bigint => ensureAccount(state, owner).collateral;
const feeEvents = (harness: Harness): unknown[] =>
  harness.events().flatMap(({ kind, data }) => (kind === 'trade_fees' ? [data] : []));

describe('fees of a trade', () => {
  it('the taker pays, the maker gets its rebate out of that, the insurance fund the rest', () => {
    const harness = market(rebates);
    harness.act(bob, order('sell', 100n, 50n));
    const { trades } = orderValue(harness.act(alice, order('buy', 100n, 50n)));
    expect(trades).toMatchObject([{ fee: 50n }]);
    expect([collateral(harness, alice), collateral(harness, bob)]).toEqual([99_950n, 100_020n]);
    expect(harness.state.globals.insurance).toBe(30n);
    expect(feeEvents(harness)).toEqual([
      {
        trade_id: 1,
        market_id: 2,
        taker: alice,
        taker_fee: 50n,
        maker: bob,
        maker_fee: -20n,
        insurance: 30n,
        treasury: 0n,
      },
    ]);
    expect(harness.events().find(({ kind }) => kind === 'trade')!.data['fees']).toBe(50n);
  });

  it('both pay where the maker has a fee, and the treasury has its share, rounded down', () => {
    const harness = market({ takerPpm: 10_000, makerPpm: 1000, treasury, treasuryShareBps: 5000 });
    harness.act(bob, order('sell', 100n, 50n));
    harness.act(alice, order('buy', 100n, 50n));
    // 50 and 5: 27 to the treasury, 28 to the fund.
    expect([collateral(harness, alice), collateral(harness, bob)]).toEqual([99_950n, 99_995n]);
    expect([collateral(harness, treasury), harness.state.globals.insurance]).toEqual([27n, 28n]);
  });

  it('of an order that meets many makers is its rate of all it traded, rounded up once', () => {
    const harness = market(rebates);
    for (let count = 0; count < 7; count++) harness.act(bob, order('sell', 33n, 1n));
    const { trades } = orderValue(harness.act(alice, order('buy', 33n, 7n)));
    // 1 % of 231 is 2.31.
    expect(trades.map(({ fee }) => fee)).toEqual([1n, 0n, 0n, 1n, 0n, 0n, 1n]);
    expect(collateral(harness, alice)).toBe(99_997n);
    // A rebate of 0.132 a trade is none.
    expect(collateral(harness, bob)).toBe(100_000n);
  });

  it('a killed fok pays nothing', () => {
    const harness = market(rebates);
    harness.act(bob, order('sell', 100n, 50n));
    harness.act(alice, order('buy', 100n, 20n, { tif: 'gtc' }));
    const before = [collateral(harness, alice), collateral(harness, bob), harness.state.globals.insurance];
    // Bob's 30 do not fill it, and Alice's own ask that is in the way does not count.
    harness.act(alice, order('sell', 101n, 20n));
    expect(orderValue(harness.act(alice, order('buy', 101n, 50n, { tif: 'fok' }))).status).toBe('killed');
    expect([collateral(harness, alice), collateral(harness, bob), harness.state.globals.insurance]).toEqual(before);
  });

  it('no number of fills takes more than what was reserved, and each fill pays for its rebate', () => {
    const notional = fc.bigInt({ min: 1n, max: 1n << 90n });
    const ppm = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(fc.array(notional, { minLength: 1, maxLength: 30 }), ppm, ppm, (fills, takerPpm, rebatePpm) => {
        fc.pre(rebatePpm <= takerPpm);
        const params: FeeParams = { takerPpm, makerPpm: -rebatePpm, treasury: null, treasuryShareBps: 0 };
        let traded = 0n;
        let paid = 0n;
        for (const fill of fills) {
          const fee = feeReserve(traded + fill, params) - feeReserve(traded, params);
          expect(fee >= (fill * BigInt(rebatePpm)) / 1_000_000n).toBe(true);
          traded += fill;
          paid += fee;
        }
        expect(paid).toBe(feeReserve(traded, params));
      }),
    );
  });
});

describe('who can not pay', () => {
  it('an order that adds risk needs the fee besides its margin', () => {
    const harness = market(rebates);
    const poor = addressOf(0x99);
    harness.deposit(poor, 549n);
    harness.act(bob, order('sell', 100n, 50n));
    // 10 % of 5000 and a fee of 50.
    expect(wordsOf(harness.act(poor, order('buy', 100n, 50n)))).toBe('insufficient margin: required 0x226, free 0x225');
    harness.deposit(poor, 1n);
    expect(harness.act(poor, order('buy', 100n, 50n)).ok).toBe(true);
    expect(collateral(harness, poor)).toBe(500n);
  });

  it('a maker whose fee is not covered beside its margin is cancelled, and not traded with', () => {
    const harness = market({ takerPpm: 0, makerPpm: 10_000, treasury: null, treasuryShareBps: 0 });
    const poor = addressOf(0x99);
    harness.deposit(poor, 550n);
    const { orderId } = orderValue(harness.act(poor, order('buy', 100n, 50n)));
    harness.act(poor, { type: 'withdraw', to: poor, amount: 1n });
    harness.act(alice, order('sell', 100n, 50n, { tif: 'ioc' }));
    expect(harness.events()).toContainEqual(
      expect.objectContaining({
        kind: 'order_cancelled',
        data: expect.objectContaining({ order_id: orderId, reason: 'margin' }),
      }),
    );
  });

  it('closing a position takes the fee as far as there is equity: it is never refused for the fee', () => {
    const harness = market(rebates);
    const poor = addressOf(0x99);
    harness.deposit(poor, 1050n);
    harness.act(bob, order('sell', 100n, 100n));
    // 1000 of margin, and 100 of fee are more than there is.
    expect(harness.act(poor, order('buy', 100n, 100n)).ok).toBe(false);
    harness.act(poor, order('buy', 100n, 90n));
    // 960 are left; at 90 there are 60 of equity, and a fee of 81.
    harness.act(carol, order('buy', 90n, 1n));
    harness.act(alice, order('sell', 90n, 1n));
    harness.act(alice, { type: 'cancelAll', marketId: null });
    harness.act(bob, { type: 'cancelAll', marketId: null });
    harness.act(carol, order('buy', 90n, 90n));
    const { trades } = orderValue(harness.act(poor, order('sell', 90n, 90n, { tif: 'ioc', reduceOnly: true })));
    expect(trades).toMatchObject([{ price: 90n, size: 90n, fee: 60n }]);
    expect(collateral(harness, poor)).toBe(0n);
    // The rebate of 0.4 % is 32.
    expect(feeEvents(harness)).toMatchObject([{ taker_fee: 60n, maker_fee: -32n, insurance: 28n }]);
  });

  it('a rebate is never more than what the taker could pay', () => {
    const harness = market({ ...rebates, makerPpm: -10_000 });
    const poor = addressOf(0x99);
    harness.deposit(poor, 1010n);
    harness.act(bob, order('sell', 100n, 90n));
    harness.act(poor, order('buy', 100n, 90n));
    harness.act(carol, order('buy', 90n, 1n));
    harness.act(alice, order('sell', 90n, 1n));
    harness.act(carol, order('buy', 90n, 90n));
    const insurance = harness.state.globals.insurance;
    harness.act(poor, order('sell', 90n, 90n, { tif: 'ioc', reduceOnly: true }));
    expect(feeEvents(harness)).toMatchObject([{ taker_fee: 20n, maker_fee: -20n, insurance: 0n }]);
    expect(harness.state.globals.insurance).toBe(insurance);
  });
});

describe('trades of a liquidation', () => {
  it('pay the liquidation fee instead of the taker fee; the rebate of the maker comes out of it', () => {
    const harness = createHarness({ params: { fees: { ...rebates, takerPpm: 4000 } } });
    for (const owner of [bob, carol]) harness.deposit(owner, 1_000_000n);
    harness.deposit(alice, 1040n);
    harness.act(bob, order('sell', 100n, 100n));
    harness.act(alice, order('buy', 100n, 100n));
    harness.act(carol, order('buy', 94n, 1n));
    harness.act(bob, order('sell', 94n, 1n));
    harness.act(carol, order('buy', 93n, 100n));
    const before = [collateral(harness, carol), harness.state.globals.insurance] as const;
    const result = harness.act(bob, { type: 'liquidate', address: alice });
    expect(result).toMatchObject({ value: { positions: [{ fee: 93n, trades: [{ fee: 93n }] }] } });
    // 0.4 % of 9300.
    expect(feeEvents(harness)).toMatchObject([{ taker_fee: 0n, maker_fee: -37n, insurance: -37n, treasury: 0n }]);
    // Carol bought 1 at 94 and 100 at 93: no profit is realized.
    expect(collateral(harness, carol) - before[0]).toBe(37n);
    expect(harness.state.globals.insurance - before[1]).toBe(56n);
  });
});

describe('a treasury that nobody used before', () => {
  it('is made by the first fee that stays, also after one in the same block that was taken back', () => {
    const fees: FeeParams = { takerPpm: 50_000, makerPpm: 0, treasury, treasuryShareBps: 5000 };
    const harness = createHarness({ params: { fees } });
    for (const owner of [alice, bob, carol]) harness.deposit(owner, 100_000n);
    harness.block([
      { account: alice, payload: order('sell', 100n, 10n) },
      { account: bob, payload: order('sell', 100n, 10n) },
    ]);
    // Bob's own order is in the way of the second half: the trade with Alice, and its fee, never were.
    const { results } = harness.block([
      { account: bob, payload: order('buy', 100n, 20n, { tif: 'fok' }) },
      { account: carol, payload: order('buy', 100n, 10n, { tif: 'ioc' }) },
    ]);
    expect(results).toMatchObject([{ value: { status: 'killed' } }, { value: { status: 'filled' } }]);
    expect(collateral(harness, treasury)).toBe(25n);
    const root = harness.engine.ordersRoot();
    harness.restart();
    expect(harness.engine.ordersRoot()).toBe(root);
  });
});

describe('trading with oneself', () => {
  it('no sequence of trades between two accounts of one owner makes a wei', () => {
    const ppm = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), ppm, ppm, (seed, takerPpm, rebatePpm) => {
        fc.pre(rebatePpm <= takerPpm);
        const fees: FeeParams = { takerPpm, makerPpm: -rebatePpm, treasury, treasuryShareBps: 5000 };
        const harness = createHarness({ params: { fees, maxOpenOrders: 20 } });
        const own = [1, 2].map(addressOf) as [typeof alice, typeof alice];
        for (const owner of own) harness.deposit(owner, 50_000n);
        const random = createPrng(seed);
        for (let block = 0; block < 20; block++) {
          const steps = randomBlock(random, 8, { nowSeconds: startMs / 1000, center: 60 + random.below(80) });
          harness.block(
            steps
              .filter(({ payload }) => payload.type !== 'deposit')
              .map((step) => ({ ...step, account: own[random.below(2)]! })),
          );
        }
        let sum = 0n;
        for (const account of harness.state.accounts.filter(({ address }) => own.includes(address))) {
          sum += account.collateral;
          for (const { size, entry } of account.exposures) sum += size < 0n ? entry : -entry;
        }
        expect(sum).toBe(100_000n - harness.state.globals.insurance - collateral(harness, treasury));
        expect(harness.state.globals.insurance >= 0n && sum <= 100_000n).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
