import { describe, expect, it } from '@jest/globals';
import { type ClobParams, defaultOracle, type OracleParams } from '@prime/codec';
import { type Address, createPrng, type TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import { ensureAccount } from '../state/changes.ts';
import { accountMargin } from './margin.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  defaultMarkets,
  type Harness,
  marketId,
  order,
  startMs,
  type Step,
  wordsOf,
} from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { randomReports, reporters } from '../testing/oracleStreams.ts';
import { randomBlock, traders } from '../testing/streams.ts';

const [dave, erin, frank] = [addressOf(0xda7e), addressOf(0xe417), addressOf(0xf4a2)] as const;
const validator = addressOf(0x5a1);
const oracle = { precisionMs: 500, reporters: [{ validator, keys: [validator], power: 1n }] };
const rich = 100_000n;

/** Market 2 and 3 have an oracle, market 1 has none. */
const markets = [
  defaultMarkets[0]!,
  { ...defaultMarkets[1]!, oracle: true },
  { ...defaultMarkets[1]!, symbol: 'SOL/USD', oracle: true },
];

const create = (more: Partial<OracleParams> = {}, rules: Partial<ClobParams> = {}): Harness =>
  createHarness({
    params: { oracle: { ...defaultOracle, maxMoveBps: 0, premiumMaxBps: 10_000, ...more }, ...rules },
    markets,
    oracle,
  });

/** The index of the markets with an oracle from the next block on. */
function tell(harness: Harness, ...prices: readonly bigint[]): void {
  const observedAtMs = (harness.now() + 100) as TimestampMs;
  const told = prices.map((price, index) => ({ marketId: marketId(2 + index), price }));
  const { results } = harness.block([
    {
      account: validator,
      payload: { type: 'oracleReport', observedAtMs, prices: told },
      signer: validator,
      signatureKind: 'raw',
    },
  ]);
  expect(wordsOf(results[0]!)).toBe('');
}

function trade(harness: Harness, seller: Address, buyer: Address, price: bigint, size: bigint, market = 2): void {
  const where = { marketId: marketId(market) };
  const { results } = harness.block([
    { account: seller, payload: order('sell', price, size, where) },
    { account: buyer, payload: order('buy', price, size, where) },
  ]);
  expect(results.map(wordsOf)).toEqual(['', '']);
}

const marginOf = ({ state }: Harness, address: Address): ReturnType<typeof accountMargin> =>
  accountMargin(ensureAccount(state, address), state.marginMarket);
const withdraw = (harness: Harness, address: Address, amount: bigint): string =>
  wordsOf(harness.act(address, { type: 'withdraw', to: address, amount }));
const settled = (harness: Harness): readonly unknown[] =>
  harness.events().flatMap(({ kind, data }) => (kind === 'loss_settled' ? [[data['address'], data['amount']]] : []));
const stakeOf = ({ state }: Harness, address: Address, market = 2): unknown[] =>
  ensureAccount(state, address)
    .exposures.filter(({ marketId: id }) => id === market)
    .map(({ size, entry, claim }) => [size, entry, claim]);

/** Alice sold 10 to Bob at 100, and the index is 110. Bob has not closed. */
function prepared(more: Partial<OracleParams> = {}, rules: Partial<ClobParams> = {}): Harness {
  const harness = create(more, rules);
  for (const address of [alice, bob, carol, dave, erin, frank]) harness.deposit(address, rich);
  tell(harness, 100n, 100n);
  trade(harness, alice, bob, 100n, 10n);
  tell(harness, 110n, 100n);
  harness.block([]);
  return harness;
}

describe('a winner who closed while the loser did not', () => {
  it('is paid with the loss of the loser, who stays what he is', () => {
    const harness = prepared();
    const before = marginOf(harness, alice);
    trade(harness, bob, carol, 110n, 10n);
    expect(settled(harness)).toEqual([[alice, 100n]]);
    expect(harness.events().at(-1)).toMatchObject({
      domain: 'orders',
      actionIndex: null,
      data: { address: alice, market_id: 2, size: -10n, price: 110n, amount: 100n, entry: 1100n },
    });
    expect(stakeOf(harness, alice)).toEqual([[-10n, 1100n, 0n]]);
    expect(marginOf(harness, alice)).toEqual(before);
    expect(ensureAccount(harness.state, alice).collateral).toBe(rich - 100n);
    expect(harness.state.market(2)).toMatchObject({ profitPool: 100n, debt: 0n });
    expect(brokenInvariants(harness.state)).toEqual([]);
    expect(withdraw(harness, bob, rich + 101n)).toMatch(/insufficient/);
    expect(withdraw(harness, bob, rich + 100n)).toBe('');
    expect(settled(harness)).toEqual([]);
    // Whoever lost is paid in the same way when the price comes back.
    tell(harness, 100n, 100n);
    trade(harness, carol, alice, 100n, 10n);
    expect(withdraw(harness, alice, rich)).toBe('');
    expect(withdraw(harness, carol, rich - 100n)).toBe('');
    expect(harness.state.market(2)).toMatchObject({ profitPool: 0n, debt: 0n });
  });

  it('of whose loss no more is taken than is unpaid', () => {
    const harness = prepared();
    trade(harness, bob, carol, 110n, 3n);
    expect(settled(harness)).toEqual([[alice, 30n]]);
    expect(stakeOf(harness, alice)).toEqual([[-10n, 1030n, 0n]]);
    trade(harness, bob, carol, 109n, 2n);
    expect(settled(harness)).toEqual([[alice, 18n]]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('waits where nothing is settled', () => {
    const harness = prepared({ settlePerBlock: 0 });
    trade(harness, bob, carol, 110n, 10n);
    harness.block([]);
    expect(stakeOf(harness, alice)).toEqual([[-10n, 1000n, 0n]]);
    expect(withdraw(harness, bob, rich + 100n)).toBe('market 2 has not paid 0x64 of the profit yet');
  });

  it('waits while the index is stale and in the pause behind, and is paid in the first block after', () => {
    const harness = prepared();
    harness.act(carol, order('buy', 110n, 10n));
    harness.block([], harness.now() + 15_001);
    harness.block([], harness.now() + 60_000);
    harness.act(bob, order('sell', 110n, 10n, { tif: 'ioc', reduceOnly: true }));
    expect(stakeOf(harness, bob)).toEqual([[0n, 0n, 100n]]);
    const waits = (): void => {
      harness.block([]);
      expect(settled(harness)).toEqual([]);
      expect(withdraw(harness, bob, rich + 100n)).toBe('market 2 has not paid 0x64 of the profit yet');
    };
    waits();
    tell(harness, 110n, 100n);
    waits();
    const { resumesAtMs } = harness.state.market(2)!.oracle!;
    expect(resumesAtMs).toBeGreaterThan(harness.now());
    harness.block([], harness.now() + 14_000);
    tell(harness, 110n, 100n);
    harness.block([], resumesAtMs - 1);
    tell(harness, 110n, 100n);
    harness.restart();
    expect(stakeOf(harness, alice)).toEqual([[-10n, 1000n, 0n]]);
    harness.block([], resumesAtMs + 1);
    expect(settled(harness)).toEqual([[alice, 100n]]);
    expect(withdraw(harness, bob, rich + 100n)).toBe('');
  });

  it('waits in a market without oracle', () => {
    const harness = create();
    for (const address of [alice, bob, carol]) harness.deposit(address, rich);
    trade(harness, alice, bob, 100n, 10n, 1);
    trade(harness, bob, carol, 110n, 10n, 1);
    harness.block([]);
    expect(stakeOf(harness, alice, 1)).toEqual([[-10n, 1000n, 0n]]);
    expect(withdraw(harness, bob, rich + 100n)).toMatch(/market 1 has not paid/);
  });
});

describe('losers', () => {
  const shorts = Array.from({ length: 4 }, (_, index) => addressOf(0x5407 + index));

  it.each([
    [2, [20n, 10n], []],
    [3, [30n, 20n, 10n], []],
    [4, [40n, 30n, 20n], [10n]],
  ])('are at most three a block, the largest loss first: %i of them', (count, first, second) => {
    const harness = create({ settlePerBlock: 3 });
    for (const address of [...shorts, bob, carol]) harness.deposit(address, rich);
    tell(harness, 100n, 100n);
    for (const [index, short] of shorts.slice(0, count).entries()) trade(harness, short, bob, 100n, BigInt(index + 1));
    tell(harness, 110n, 100n);
    harness.block([]);
    const size = BigInt((count * (count + 1)) / 2);
    trade(harness, bob, carol, 110n, size);
    const amounts = (): unknown[] => settled(harness).map((row) => (row as unknown[])[1]);
    expect(amounts()).toEqual(first);
    harness.restart();
    harness.block([]);
    expect(amounts()).toEqual(second);
    harness.block([]);
    expect(amounts()).toEqual([]);
    expect(withdraw(harness, bob, rich + 10n * size)).toBe('');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('with equal losses are taken by address', () => {
    const harness = create({ settlePerBlock: 1 });
    for (const address of [...shorts, bob, carol]) harness.deposit(address, rich);
    tell(harness, 100n, 100n);
    for (const short of [...shorts].reverse()) trade(harness, short, bob, 100n, 1n);
    tell(harness, 110n, 100n);
    harness.block([]);
    trade(harness, bob, carol, 110n, 4n);
    const order = [settled(harness)];
    for (let block = 0; block < 4; block++) {
      harness.block([]);
      order.push(settled(harness));
    }
    expect(order).toEqual([...shorts.map((short) => [[short, 10n]]), []]);
  });

  it('pay with profit of another market what they have not', () => {
    const harness = create();
    harness.deposit(alice, 250n);
    for (const address of [bob, carol, dave]) harness.deposit(address, rich);
    tell(harness, 100n, 100n);
    trade(harness, alice, bob, 100n, 10n, 2);
    trade(harness, bob, alice, 100n, 10n, 3);
    tell(harness, 150n, 150n);
    harness.block([]);
    // Bob won 500 from her in market 2, and lost as much to her in market 3, which he pays.
    trade(harness, carol, bob, 150n, 10n, 3);
    trade(harness, alice, carol, 150n, 10n, 3);
    trade(harness, bob, dave, 150n, 10n, 2);
    harness.block([]);
    expect(stakeOf(harness, alice, 2)).toEqual([[-10n, 1500n, 0n]]);
    expect(withdraw(harness, bob, rich)).toBe('');
    expect(harness.state.markets.map(({ debt }) => debt)).toEqual([0n, 0n, 0n]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('that closed pay, too, once another market has money for them', () => {
    const harness = create({ resumeMs: 0 });
    harness.deposit(alice, 250n);
    for (const address of [bob, carol, dave, erin]) harness.deposit(address, rich);
    tell(harness, 100n, 100n);
    trade(harness, alice, bob, 100n, 10n, 2);
    trade(harness, dave, alice, 100n, 10n, 3);
    tell(harness, 150n, 150n);
    harness.block([]);
    // Nothing is settled while the index is stale. She loses 500 in one market, wins them in the other, and has 250.
    harness.act(erin, order('sell', 150n, 10n));
    harness.act(carol, order('buy', 150n, 10n, { marketId: marketId(3) }));
    harness.block([], harness.now() + 15_001);
    harness.act(alice, order('sell', 150n, 10n, { marketId: marketId(3), reduceOnly: true }));
    harness.act(alice, order('buy', 150n, 10n, { reduceOnly: true }));
    expect([stakeOf(harness, alice, 2), stakeOf(harness, alice, 3)]).toEqual([[[0n, 0n, -250n]], [[0n, 0n, 500n]]]);
    tell(harness, 150n, 150n);
    harness.restart();
    harness.block([]);
    // Dave's loss is settled, because she has not got it.
    expect(settled(harness)).toEqual([[dave, 500n]]);
    harness.act(bob, order('sell', 150n, 10n));
    harness.act(frank, { type: 'deposit', amount: rich });
    harness.act(frank, order('buy', 150n, 10n));
    harness.block([]);
    expect([stakeOf(harness, alice, 2), stakeOf(harness, alice, 3)]).toEqual([[[0n, 0n, 0n]], [[0n, 0n, 250n]]]);
    expect(withdraw(harness, bob, rich + 500n)).toBe('');
    expect(brokenInvariants(harness.state)).toEqual([]);
  });
});

describe('what nobody can pay', () => {
  it('is not made up for with the losses of others', () => {
    const harness = prepared();
    const [counterpart, thief] = [addressOf(0xfa2), addressOf(0xfa3)];
    for (const address of [counterpart, thief]) harness.deposit(address, rich);
    // A profit at a price that traders made, which nobody ever pays. Frank takes all of his own money out.
    trade(harness, counterpart, frank, 100n, 100n, 1);
    trade(harness, dave, erin, 1_000n, 10n, 1);
    trade(harness, frank, erin, 1_000n, 100n, 1);
    expect(withdraw(harness, frank, rich)).toBe('');
    // With what he has left he pays the thief far more than the price outside is, and owes it.
    trade(harness, frank, thief, 110n, 1n);
    trade(harness, thief, frank, 1_000n, 1n);
    expect([stakeOf(harness, thief), stakeOf(harness, frank)]).toEqual([[[0n, 0n, 890n]], [[0n, 0n, -890n]]]);
    for (let block = 0; block < 3; block++) {
      harness.block([]);
      expect(settled(harness)).toEqual([]);
    }
    expect(stakeOf(harness, alice)).toEqual([[-10n, 1000n, 0n]]);
    expect(withdraw(harness, thief, rich + 1n)).toMatch(/insufficient|not paid/);
    // Bob's profit is there: so much of Alice's loss is settled.
    trade(harness, bob, carol, 110n, 10n);
    expect(settled(harness)).toEqual([[alice, 100n]]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });

  it('is a debt that the losses of others are not settled for', () => {
    const harness = create({}, { autoLiquidatePerBlock: 1 });
    harness.deposit(alice, 200n);
    for (const address of [bob, carol, dave, erin]) harness.deposit(address, rich);
    tell(harness, 100n, 100n);
    trade(harness, alice, bob, 100n, 10n);
    tell(harness, 150n, 150n);
    // Bob is gone before anybody sees that Alice can not pay.
    trade(harness, bob, carol, 150n, 10n);
    harness.block([]);
    expect(harness.state.market(2)).toMatchObject({ debt: 300n, profitPool: 200n });
    trade(harness, dave, erin, 150n, 10n);
    tell(harness, 140n, 150n);
    for (let block = 0; block < 3; block++) harness.block([]);
    expect(stakeOf(harness, erin)).toEqual([[10n, 1500n, 0n]]);
    trade(harness, bob, dave, 140n, 10n);
    expect(settled(harness)).toEqual([[erin, 100n]]);
    expect(stakeOf(harness, dave)).toEqual([[0n, 0n, 100n]]);
    expect(brokenInvariants(harness.state)).toEqual([]);
  });
});

describe('P5, with prices from outside', () => {
  const bystander = addressOf(0xb757);

  it('no set of accounts takes out more than it put in, wherever the index goes', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.boolean(), (seed, isAutomatic) => {
        const random = createPrng(seed);
        const params = isAutomatic ? { autoLiquidatePerBlock: 2, autoDequeue: true } : {};
        const bounds = { maxMoveBps: random.below(3) * 500, premiumMaxBps: random.below(2) * 500, resumeMs: 0 };
        const harness = createHarness({
          params: {
            maxOpenOrders: 6,
            initialMarginBps: 400,
            maintenanceMarginBps: 200,
            oracle: { ...defaultOracle, ...bounds, settlePerBlock: 1 + random.below(3) },
            ...params,
          },
          markets: markets.slice(0, 2),
          oracle: reporters,
        });
        const { state } = harness;
        harness.deposit(bystander, 1_000_000_000n);
        const withdrawable = (address: string): bigint => marginOf(harness, address as Address).withdrawable;
        let center = 100;
        for (let block = 0; block < 60; block++) {
          center = Math.max(20, center + random.below(41) - 20);
          const timeMs = startMs + 1000 * block;
          const options = { nowSeconds: Math.floor(timeMs / 1000), center, risky: true, withdrawable };
          const told = randomReports(random, timeMs, { set: reporters, markets: [2], center });
          harness.block([...randomBlock(random, 8, options), ...told], timeMs);
          count += settled(harness).length;
          expect(
            state.globals.totalDeposits - state.globals.totalWithdrawals - state.transfers.total >= 1_000_000_000n,
          ).toBe(true);
        }
        expect(brokenInvariants(state)).toEqual([]);
        // All of them leave with all that they can.
        const leave = (address: Address): Step => ({
          account: address,
          payload: { type: 'withdraw', to: address, amount: withdrawable(address) },
        });
        for (const address of traders) harness.block([leave(address)]);
        expect(withdraw(harness, bystander, 1_000_000_000n)).toBe('');
      }),
      { numRuns: 25 },
    );
    expect(count).toBeGreaterThan(10);
  });
});
