import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, type ClobParams, defaultOracle } from '@prime/codec';
import { type Address, createPrng } from '@prime/primitives';
import fc from 'fast-check';
import { ownOf } from '../state/accounts.ts';
import { ensureAccount } from '../state/changes.ts';
import { countWorth } from './ledger.ts';
import { marginState, withdrawableCollateral } from './margin.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  type Harness,
  marketId,
  order,
  startMs,
  wordsOf,
} from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { randomBlock, traders } from '../testing/streams.ts';

const [dave, erin] = [addressOf(0xda7e), addressOf(0xe417)] as const;
const rich = 10n ** 9n;

const withdraw = (harness: Harness, address: Address, amount: bigint): string =>
  wordsOf(harness.act(address, { type: 'withdraw', to: address, amount }));

const withdrawableOf = ({ state }: Harness, address: Address): bigint => {
  const account = ensureAccount(state, address);
  return withdrawableCollateral(account.collateral, marginState(account, state.marginMarket));
};

function trade(harness: Harness, seller: Address, buyer: Address, price: bigint, size: bigint, market = 2): void {
  const where = { marketId: marketId(market) };
  expect(harness.act(seller, order('sell', price, size, where)).ok).toBe(true);
  expect(wordsOf(harness.act(buyer, order('buy', price, size, where)))).toBe('');
}

/** Alice bought 100 at 100 with 1000, and Bob, who sold, took his profit at 85 from Carol. Then the mark is 80. */
function indebted(params: Partial<ClobParams> = {}): Harness {
  const harness = createHarness({ params });
  harness.deposit(alice, 1000n);
  for (const address of [bob, carol, dave, erin]) harness.deposit(address, rich);
  trade(harness, bob, alice, 100n, 100n);
  trade(harness, carol, bob, 85n, 100n);
  harness.deposit(addressOf(0x31), rich);
  trade(harness, addressOf(0x31), dave, 80n, 1n);
  return harness;
}

/** Gives the fund wei of Dave's, behind the back of a process that has just begun, and a block in which it may use them. */
function income(harness: Harness, amount: bigint): void {
  const { state } = harness;
  ensureAccount(state, dave).collateral -= amount;
  state.globals.insurance += amount;
  countWorth(state, state.accounts);
  harness.block([]);
}

describe('debts of a market', () => {
  it('what neither account nor fund nor profits pay is a debt of the market, and of nobody else', () => {
    const harness = indebted();
    const result = harness.act(dave, { type: 'liquidate', address: alice });
    // 1000 are missing, and Carol won 500.
    expect(result.ok && result.value).toMatchObject({
      positions: [{ adl: [{ address: carol, size: 100n, value: 8500n }] }],
      collateral: 0n,
      badDebt: 500n,
    });
    expect(harness.events().map(({ kind }) => kind)).toEqual(['liquidation', 'deleveraged', 'bad_debt', 'market_debt']);
    expect(harness.state.markets.map(({ debt, profitPool }) => [debt, profitPool])).toEqual([
      [0n, 0n],
      [500n, 1000n],
    ]);
    expect(brokenInvariants(harness.state)).toEqual([]);
    // Bob won 1500, of which Alice paid 1000.
    expect(withdraw(harness, bob, rich + 1500n)).toBe('market 2 has not paid 0x1f4 of the profit yet');
    expect(withdraw(harness, bob, rich + 1501n)).toBe('insufficient collateral');
    expect(withdraw(harness, erin, rich)).toBe('');
    expect(withdraw(harness, bob, rich + 1000n)).toBe('');
    expect(harness.state.markets[1]).toMatchObject({ debt: 500n, profitPool: 0n });
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it.each([
    ['where all markets have prices from the book, the fund pays first', {}, [0n, 300n]],
    [
      'where others have prices from outside, it pays nothing, neither then nor later',
      { oracle: defaultOracle },
      [200n, 500n],
    ],
  ])('%s', (_, params, [insurance, debt]) => {
    const harness = indebted(params);
    harness.restart();
    income(harness, 200n);
    harness.act(dave, { type: 'liquidate', address: alice });
    harness.block([]);
    expect(harness.state.globals.insurance).toBe(insurance);
    expect(harness.state.markets[1]).toMatchObject({ debt });
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('is repaid by all that the fund gets later, and then profits are paid', () => {
    const harness = indebted();
    harness.act(dave, { type: 'liquidate', address: alice });
    harness.restart();
    income(harness, 200n);
    expect(harness.events().map(({ kind, data }) => [kind, data['amount']])).toEqual([
      ['debt_repaid', 200n],
      ['insurance_changed', -200n],
    ]);
    expect(harness.state.markets[1]).toMatchObject({ debt: 300n, profitPool: 1200n });
    income(harness, 400n);
    expect(harness.state.markets[1]).toMatchObject({ debt: 0n, profitPool: 1500n });
    expect(harness.state.globals.insurance).toBe(100n);
    expect(withdraw(harness, bob, rich + 1500n)).toBe('');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('two accounts of one owner with next to nothing keep nobody from withdrawing', () => {
    const harness = createHarness();
    for (const [address, amount] of [
      [alice, 600n],
      [bob, 600n],
      [carol, rich],
      [dave, rich],
    ] as const)
      harness.deposit(address, amount);
    trade(harness, alice, bob, 100n, 50n);
    // An empty book, and a price of their own.
    harness.act(dave, order('buy', 300n, 1n));
    harness.act(carol, order('sell', 300n, 1n));
    expect(harness.state.markets[1]!.markPrice).toBe(300n);
    expect(withdraw(harness, erin, 1n)).toBe('insufficient collateral');
    harness.deposit(erin, 5n);
    expect(withdraw(harness, erin, 5n)).toBe('');
    expect(withdraw(harness, dave, 1_000_000n)).toBe('');
    // Bob closes with a profit: what Alice had is all that there is for it.
    harness.act(carol, order('buy', 300n, 50n));
    expect(harness.act(bob, order('sell', 300n, 50n)).ok).toBe(true);
    expect(withdrawableOf(harness, bob)).toBe(600n);
    expect(withdraw(harness, bob, 10_000n)).toBe('market 2 has not paid 0x2710 of the profit yet');
  });

  it('a profit can be traded with, and lost, before it is paid', () => {
    const harness = createHarness();
    for (const address of [alice, bob, carol]) harness.deposit(address, 10_000n);
    trade(harness, alice, bob, 100n, 50n);
    trade(harness, bob, carol, 140n, 50n);
    expect(withdrawableOf(harness, bob)).toBe(10_000n);
    // It needs margin beyond what he brought.
    trade(harness, bob, carol, 140n, 80n);
    trade(harness, carol, bob, 150n, 80n);
    expect(withdrawableOf(harness, bob)).toBe(10_000n);
    trade(harness, carol, alice, 150n, 50n);
    // Alice paid her loss of 2500.
    expect(harness.state.markets[1]!.profitPool).toBe(2500n);
    expect(withdrawableOf(harness, bob)).toBe(11_200n);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });
});

describe('fees of who has nothing but unpaid profit', () => {
  const [counterpart, frank, thief] = [addressOf(0xfa2), addressOf(0xf4a2), addressOf(0xfa3)] as const;

  /** Frank won in market 1 what nobody paid, and has taken his own money out. */
  function withUnpaid(treasury: Address | null): Harness {
    const fees = { takerPpm: 20_000, makerPpm: -15_000, treasury, treasuryShareBps: treasury === null ? 0 : 5_000 };
    const harness = createHarness({ params: { fees } });
    for (const address of [counterpart, frank, thief, dave, erin]) harness.deposit(address, rich);
    trade(harness, counterpart, frank, 100n, 100n, 1);
    trade(harness, dave, erin, 10_000n, 10n, 1);
    trade(harness, erin, frank, 10_000n, 10n, 1);
    expect(harness.act(erin, order('buy', 10_000n, 110n, { marketId: marketId(1) })).ok).toBe(true);
    expect(wordsOf(harness.act(frank, order('sell', 10_000n, 110n, { marketId: marketId(1) })))).toBe('');
    expect(withdraw(harness, frank, withdrawableOf(harness, frank))).toBe('');
    expect(ownOf(ensureAccount(harness.state, frank))).toBe(0n);
    return harness;
  }

  it('a rebate out of it is unpaid profit, too, in the market of the trade', () => {
    const harness = withUnpaid(null);
    for (let round = 0; round < 3; round++) {
      trade(harness, thief, frank, 100n, 100n);
      expect(harness.events().filter(({ kind }) => kind === 'trade_fees')).toMatchObject([
        { data: { taker: frank, taker_fee: 200n, maker: thief, maker_fee: -150n, insurance: 50n } },
      ]);
    }
    expect(ensureAccount(harness.state, thief).collateral).toBe(rich + 450n);
    // The rebate of this one is paid with money of Dave's.
    harness.act(thief, order('buy', 100n, 300n));
    expect(wordsOf(harness.act(dave, order('sell', 100n, 300n)))).toBe('');
    expect(ensureAccount(harness.state, thief).collateral).toBe(rich + 900n);
    expect(withdraw(harness, thief, rich + 451n)).toBe('market 2 has not paid 0x1c2 of the profit yet');
    expect(withdraw(harness, thief, rich + 450n)).toBe('');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('is paid out of pools at the end of the block, also of one that fills later', () => {
    const harness = withUnpaid(dave);
    trade(harness, thief, frank, 100n, 100n);
    expect(ownOf(ensureAccount(harness.state, frank))).toBe(-50n);
    harness.restart();
    // The loser of market 1 closes, and what he pays is Frank's.
    expect(harness.act(erin, order('sell', 10_000n, 10n, { marketId: marketId(1) })).ok).toBe(true);
    expect(wordsOf(harness.act(counterpart, order('buy', 10_000n, 10n, { marketId: marketId(1) })))).toBe('');
    harness.block([]);
    expect(ownOf(ensureAccount(harness.state, frank))).toBe(0n);
    // Less the margin of his position.
    expect(withdrawableOf(harness, thief)).toBe(rich + 150n - 1000n);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });
});

describe('who is closed for the losses of others', () => {
  it('one unfilled bid makes an account liquidatable, and takes nothing of it', () => {
    const harness = createHarness({ params: { autoLiquidatePerBlock: 5 } });
    for (const address of [bob, carol, dave]) harness.deposit(address, rich);
    harness.deposit(alice, 1000n);
    trade(harness, alice, bob, 100n, 100n);
    harness.act(carol, order('buy', 106n, 1n, { clientId: `0x${'1'.padStart(32, '0')}` }));
    expect(harness.state.markets[1]!.markPrice).toBe(106n);
    for (let block = 0; block < 3; block++) harness.block([]);
    expect(ensureAccount(harness.state, alice)).toMatchObject({ collateral: 1000n });
    expect(ensureAccount(harness.state, alice).exposures[0]!.size).toBe(-100n);
    harness.act(carol, { type: 'cancelAll', marketId: null });
    expect(wordsOf(harness.act(dave, { type: 'liquidate', address: alice }))).toMatch(/not liquidatable/);
  });

  it('a position in a market that did not move is closed at its mark; who won nothing there pays nothing', () => {
    const harness = createHarness();
    harness.deposit(alice, 3000n);
    for (const address of [bob, carol, dave, erin]) harness.deposit(address, rich);
    trade(harness, bob, alice, 100n, 100n);
    trade(harness, carol, alice, 50n, 100n, 1);
    trade(harness, dave, erin, 60n, 1n);
    const result = harness.act(dave, { type: 'liquidate', address: alice });
    // 1000 are missing: all of it was lost in market 2.
    expect(result.ok && result.value).toMatchObject({
      positions: [
        { marketId: 2, adl: [{ address: bob, size: 100n, value: 7000n }] },
        { marketId: 1, adl: [{ address: carol, size: 100n, value: 5000n }] },
      ],
      badDebt: 0n,
    });
    expect(ensureAccount(harness.state, carol).collateral).toBe(rich);
  });
});

describe('P5', () => {
  const bystander = addressOf(0xb757);

  it('no set of accounts takes out more than it put in, whatever it does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.boolean(), fc.boolean(), (seed, isAutomatic, hasFees) => {
        const random = createPrng(seed);
        const liquidation = { sliceBps: 2000, sliceNotionalMin: 50n, bandBps: 500, rewardBps: 1000 };
        const fees = { takerPpm: 30_000, makerPpm: -30_000, treasury: null, treasuryShareBps: 0 };
        const params = {
          ...(isAutomatic ? { autoLiquidatePerBlock: 2, autoDequeue: true, liquidation } : {}),
          ...(hasFees ? { fees } : {}),
        };
        const harness = createHarness({
          params: { maxOpenOrders: 6, initialMarginBps: 400, maintenanceMarginBps: 200, ...params },
        });
        const { state } = harness;
        harness.deposit(bystander, rich);
        let center = 100;
        for (let block = 0; block < 60; block++) {
          center = Math.max(20, center + random.below(81) - 40);
          const withdrawable = (address: string): bigint => withdrawableOf(harness, address as Address);
          const options = { nowSeconds: Math.floor(startMs / 1000) + block, center, risky: true, withdrawable };
          harness.block(randomBlock(random, 8, options), startMs + 1000 * block);
          // What is not the bystander's is what the others put in and did not take out.
          expect(state.globals.totalDeposits - state.globals.totalWithdrawals - state.transfers.total >= rich).toBe(
            true,
          );
        }
        expect(brokenInvariants(state)).toEqual([]);
        // All of them leave with all that they can.
        const all = (address: Address): ActionPayload => ({
          type: 'withdraw',
          to: address,
          amount: withdrawableOf(harness, address),
        });
        for (const address of traders) harness.block([{ account: address, payload: all(address) }], startMs + 100_000);
        expect(withdraw(harness, bystander, rich)).toBe('');
      }),
      { numRuns: 40 },
    );
  });
});
