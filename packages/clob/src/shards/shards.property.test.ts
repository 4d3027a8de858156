import { describe, expect, it } from '@jest/globals';
import {
  decodeEventFrames,
  type ActionPayload,
  type Change,
  type ClobParams,
  defaultMarketDecimals,
  noMarketLimits,
  type OrderFields,
  type SelfTradeMode,
  subAccountAddress,
  type TimeInForce,
} from '@prime/codec';
import { type Address, createPrng, type Prng } from '@prime/primitives';
import { drawsOf } from '@prime/testkit/draws';
import type { ClobOutcome } from '../ports.ts';
import {
  addressOf,
  createHarness,
  type Harness,
  marketId,
  order,
  orderId,
  startMs,
  type Step,
} from '../testing/harness.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { earlyCancels, quoters, quoting, randomBlock, randomQuotes } from '../testing/streams.ts';

const traders = Array.from({ length: 8 }, (_, index) => addressOf(0x100 + index));
const maker = addressOf(0x50);
/** Wei; the rich never come near their margin, the others do now and then, and all the time. */
const purses = [10n ** 24n, 10n ** 24n, 10n ** 24n, 60_000n] as const;
const marketCount = 7;
const markets = Array.from({ length: marketCount }, (_, index) => ({
  symbol: `M${index}/USD`,
  tickSize: 1n + BigInt(index % 3),
  lotSize: index === 4 ? 10n ** 15n : 1n,
  ...defaultMarketDecimals,
  // Its lot is larger than what limits of the others leave.
  ...(index === 4 ? { limits: noMarketLimits } : {}),
}));

const pick = <T>(random: Prng, items: readonly T[]): T => items[random.below(items.length)]!;

const limits = { openInterestMax: 150n, positionMax: 60n, priceBandBps: 500, orderNotionalMax: 3500n };

let nonces = 0;

interface Mood {
  readonly newest: number;
  readonly next: number;
  readonly center: number;
  /** Of a hundred actions, those that only rich accounts and no corner cases take part in. */
  readonly calm: number;
  /** Without `cancelFirst` a deposit keeps a block from the shards. */
  readonly deposits: boolean;
}

/** An order, a cancel or a replacement somewhere; ids of this very block are named, too. */
function randomTrade(random: Prng, { newest, next, center, calm }: Mood): ActionPayload {
  const isCalm = random.below(100) < calm;
  const market = random.below(marketCount);
  const { tickSize, lotSize } = markets[market]!;
  const id = orderId(random.chance(1, 60) ? next + random.below(6) : 1 + Math.max(0, newest - random.below(60)));
  const price = BigInt(center - 6 + random.below(13)) * tickSize + (isCalm || !random.chance(1, 20) ? 0n : 1n);
  const size = BigInt(1 + random.below(20)) * lotSize;
  const dice = random.below(10);
  if (dice < 2) return { type: 'cancel', orderId: id };
  if (dice < 4) return { type: 'modify', orderId: id, price, size };
  const tif = pick<TimeInForce>(random, ['gtc', 'gtc', 'gtc', 'ioc', 'fok']);
  const more: Partial<OrderFields> = {
    marketId: marketId(market + 1),
    tif,
    postOnly: tif === 'gtc' && random.chance(1, 4),
    selfTrade: pick<SelfTradeMode>(random, ['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement']),
    clientId: !isCalm && random.chance(1, 4) ? `0x${'0'.repeat(31)}${random.below(9)}` : null,
    reduceOnly: !isCalm && random.chance(1, tif === 'gtc' ? 8 : 4),
    expiresAt: !isCalm && random.chance(1, 10) ? Math.floor(startMs / 1000) + 61 + random.below(30) : 0,
  };
  return order(random.chance(1, 2) ? 'buy' : 'sell', price, size, more);
}

function randomStep(random: Prng, mood: Mood): Step {
  const isCalm = random.below(100) < mood.calm;
  const account = isCalm ? traders[random.below(3)]! : pick(random, traders);
  const trade = randomTrade(random, mood);
  const dice = random.below(isCalm ? 30 : 40);
  if (dice < 4)
    return {
      account,
      payload: { type: 'batch', items: [trade, randomTrade(random, mood), randomTrade(random, mood)] },
    };
  if (dice === 5 && mood.deposits)
    return { account, payload: { type: 'deposit', amount: BigInt(random.below(5000)) }, funded: random.chance(4, 5) };
  if (dice === 30) return { account, payload: { type: 'cancelAll', marketId: null } };
  if (dice === 31) return { account, payload: { type: 'withdraw', to: account, amount: BigInt(random.below(3000)) } };
  if (dice === 32) return { account, payload: { type: 'liquidate', address: pick(random, traders) } };
  if (dice === 33)
    return { account, payload: { type: 'transfer', to: pick(random, traders), amount: BigInt(random.below(900)) } };
  if (dice === 34) return { account, payload: trade, signatureKind: 'raw', nonce: startMs + nonces++ };
  return { account, payload: trade };
}

/** Now and then with cancels of the orders that it brings. */
function randomSteps(random: Prng, mood: Mood): Step[] {
  const step = randomStep(random, mood);
  return [...earlyCancels(random, step), step];
}

function trading(params: Partial<ClobParams>, shards?: number): Harness {
  const harness = createHarness({
    params: { maxOpenOrders: 30, ...params },
    markets,
    ...(shards === undefined ? {} : { shards }),
  });
  traders.forEach((trader, index) => {
    harness.deposit(trader, purses[index % purses.length]!);
  });
  if (params.subAccountsMax !== undefined) makeSubAccounts(harness);
  harness.deposit(maker, 10n ** 26n);
  for (const [index, { tickSize, lotSize }] of markets.entries())
    for (const [side, price] of [
      ['buy', 90n],
      ['sell', 110n],
    ] as const)
      harness.act(maker, order(side, price * tickSize, lotSize, { marketId: marketId(index + 1) }));
  return harness;
}

/** Signed by the owner, for its sub-account at times. */
function byOwner(random: Prng, step: Step): Step {
  const { account: signer } = step;
  const account = random.chance(1, 2) ? subAccountAddress(signer, 1) : signer;
  return { ...step, account, signer, signatureKind: 'raw', nonce: startMs + nonces++ };
}

const admin = addressOf(0xad);

/** A change of what shards know: now, or in a block of orders. Markets are settled late. */
function randomChange(random: Prng, height: number, progress: number): Step {
  const market = marketId(1 + random.below(marketCount));
  const of = (parameter: string, value: unknown, own: typeof market | null = null): Change =>
    ({ parameter, marketId: own, value }) as Change;
  const status = progress > 0.7 ? 'settling' : pick(random, ['trading', 'trading', 'post_only', 'halted']);
  const change = pick(random, [
    of('status', { status, price: status === 'settling' ? 100n : null }, market),
    of('limits', { ...noMarketLimits, positionMax: BigInt(20 + random.below(60)) }, market),
    of('maxOpenOrders', 5 + random.below(900)),
    of('orderChangesPerBlock', random.chance(1, 2) ? null : 20 + random.below(60)),
    of('mark', { impactNotional: BigInt(random.below(2) * 900), emaWeight: 64, maxMoveBps: 500, minTrades: 1 }),
  ]);
  const atHeight = random.chance(1, 2) ? 0 : height + 2 + random.below(3);
  const nonce = startMs + nonces++;
  return { account: admin, payload: { type: 'change', change, atHeight }, signatureKind: 'raw', nonce };
}

/** Has each trader make a sub-account, with half of what he has. */
function makeSubAccounts(harness: Harness): void {
  for (const [index, trader] of traders.entries()) {
    // The same nonces in each engine: they are part of the root.
    const own = { signatureKind: 'raw', nonce: startMs - 2 } as const;
    harness.act(trader, { type: 'createSubAccount', index: 1 }, own);
    const half = { to: subAccountAddress(trader, 1), amount: purses[index % purses.length]! / 2n };
    harness.act(trader, { type: 'transfer', ...half }, { ...own, nonce: startMs - 1 });
  }
}

/** Events without the hashes of actions, which the harness makes ever new. */
const told = ({ events }: ClobOutcome): unknown =>
  decodeEventFrames(events).map((event) => ({ ...event, data: { ...event.data, hash: null } }));

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) => (typeof entry === 'bigint' ? `${entry}n` : entry));

function expectSame(a: ClobOutcome, b: ClobOutcome): void {
  const all = (outcome: ClobOutcome): string =>
    textOf([
      outcome.results,
      told(outcome),
      outcome.ordersRoot,
      outcome.credits,
      outcome.escrow,
      outcome.writes.length,
    ]);
  // The root is over the records; the rest is for whoever wants to know what differs.
  if (all(a) === all(b)) return;
  expect(a.results).toEqual(b.results);
  expect(told(a)).toEqual(told(b));
  expect(a.writes).toEqual(b.writes);
  expect(a.credits).toEqual(b.credits);
  expect(a.escrow).toBe(b.escrow);
  expect(a.ordersRoot).toBe(b.ordersRoot);
}

describe('a pool of shards', () => {
  it.each([
    { seed: 1, calm: 100, least: 0.5, params: { maxOpenOrders: 1000 } },
    { seed: 2, calm: 97, least: 0.05 },
    { seed: 3, calm: 100, least: 0.5, params: { maxOpenOrders: 1000, cancelFirst: false } },
    {
      seed: 4,
      calm: 98,
      least: 0.05,
      params: { autoLiquidatePerBlock: 3, mark: { impactNotional: 0n, emaWeight: 64, maxMoveBps: 500, minTrades: 2 } },
    },
    { seed: 5, calm: 100, least: 0.3, params: { maxOpenOrders: 1000, orderChangesPerBlock: 45 } },
    { seed: 6, calm: 97, least: 0.02, params: { orderChangesPerBlock: 12 } },
    { seed: 7, calm: 100, least: 0.3, params: { maxOpenOrders: 1000, subAccountsMax: 1 } },
    { seed: 9, calm: 100, least: 0.5, params: { maxOpenOrders: 1000, limits } },
    { seed: 8, calm: 97, least: 0.05, params: { limits } },
    { seed: 10, calm: 100, least: 0.1, params: { maxOpenOrders: 1000, admin } },
  ])('says and does what one thread does: seed $seed', ({ seed, calm, least, params = {} }) => {
    const random = createPrng(seed);
    const one = trading(params);
    const pools = [1, 2, 3, 8].map((shards) => trading(params, shards));
    let center = 100;
    const blocks = drawsOf(20);
    for (let block = 1; block <= blocks; block++) {
      center += random.below(3) - 1;
      const next = one.state.globals.nextOrderId;
      const mood = { newest: next, next, center, calm, deposits: one.state.params.cancelFirst || calm < 100 };
      const plain = Array.from({ length: 1 + random.below(25) }, () => randomSteps(random, mood)).flat();
      const steps: Step[] =
        one.state.params.subAccountsMax === undefined ? plain : plain.map((step) => byOwner(random, step));
      if (params.admin !== undefined && random.chance(1, 4))
        steps.push(randomChange(random, one.state.height, block / blocks));
      const timeMs = startMs + 60_000 + block * 700;
      if (random.chance(1, 6)) for (const pool of pools) pool.drop(steps, timeMs);
      if (random.chance(1, 25)) for (const pool of pools) pool.restart();
      const expected = one.block(steps, timeMs);
      for (const pool of pools) {
        expectSame(pool.block(steps, timeMs), expected);
        if (block % 10 === 0) expect(brokenInvariants(pool.state)).toEqual([]);
      }
    }
    for (const { pool } of pools) {
      const counts = pool();
      expect(`${counts.shared / blocks > least} ${JSON.stringify(counts)}`).toMatch(/^true/);
    }
  });

  const bid = (price: bigint, size: bigint, market = 1): ActionPayload =>
    order('buy', price, size, { marketId: marketId(market) });
  it.each<readonly [gone: string, blocks: (id: number) => ActionPayload[][]]>([
    ['in an earlier block', (id) => [[{ type: 'cancel', orderId: orderId(id) }], [bid(104n, 4n)]]],
    ['in the same block', (id) => [[{ type: 'cancel', orderId: orderId(id) }, bid(104n, 4n)]]],
    ['in another market', (id) => [[{ type: 'cancel', orderId: orderId(id) }, bid(208n, 2n, 2)]]],
    ['for its replacement', (id) => [[{ type: 'modify', orderId: orderId(id), price: 104n, size: 4n }]]],
  ])('asks for the loss of an older order again when what made up for it went %s', (_, blocks) => {
    const mark = { impactNotional: 0n, emaWeight: 1, maxMoveBps: 1, minTrades: 0 };
    const poor = addressOf(0x306);
    const run = (shards?: number): Harness => {
      const harness = trading({ mark }, shards);
      harness.deposit(poor, 306n);
      expect(harness.state.market(1)!.markPrice).toBe(100n);
      const id = harness.state.globals.nextOrderId;
      // The first would lose 80 at the mark, the second gain 80. For the third, free collateral is looked at with both of them.
      const all = [[bid(104n, 20n)], [bid(60n, 2n)], [bid(96n, 1n)], ...blocks(id + 1)];
      const answers = all.flatMap(
        (payloads) => harness.block(payloads.map((payload) => ({ account: poor, payload }))).results,
      );
      expect(answers.slice(0, -1).every(({ ok }) => ok)).toBe(true);
      expect(answers.at(-1)).toMatchObject({ ok: false, error: { code: 'CLOB_INSUFFICIENT_MARGIN' } });
      expect(brokenInvariants(harness.state)).toEqual([]);
      return harness;
    };
    run();
    const counts = run(2).pool();
    expect(counts.shared).toBeGreaterThanOrEqual(2 + blocks(0).length);
    expect(counts.repeated).toBe(1);
  });

  it('an order that expires can be taken out when an order before it was refused, and its id is another than the shard gave it', () => {
    const expiresAt = Math.floor(startMs / 1000) + 3600;
    const run = (shards?: number) => {
      const harness = trading({}, shards);
      const before = harness.pool().shared;
      const [rich, other] = traders as [Address, Address];
      const late = order('buy', 70n, 1n, { marketId: marketId(1), expiresAt });
      const id = harness.state.globals.nextOrderId;
      const outcomes = [
        harness.block([
          { account: rich, payload: bid(0n, 1n, 2) },
          { account: other, payload: late },
        ]),
        harness.block([{ account: other, payload: { type: 'cancel', orderId: id } }]),
        harness.block([{ account: other, payload: late }]),
      ];
      return { outcomes, shared: harness.pool().shared - before };
    };
    const [one, pool] = [run(), run(2)];
    pool.outcomes.forEach((outcome, block) => {
      expectSame(outcome, one.outcomes[block]!);
    });
    expect(pool.shared).toBe(3);
    expect(one.outcomes.map(({ results }) => results.map(({ ok }) => ok))).toEqual([[false, true], [true], [true]]);
  });

  it('a block that makes as many changes as it may is for one thread, whoever made them', () => {
    const run = (orderChangesPerBlock: number, shards?: number) => {
      const harness = trading({ orderChangesPerBlock }, shards);
      const before = harness.pool();
      const steps = [1, 2, 3, 4].map((market) => ({
        account: traders[0]!,
        payload: bid(70n * markets[market - 1]!.tickSize, 1n, market),
      }));
      const outcome = harness.block(steps);
      const { shared, repeated } = harness.pool();
      return { outcome, counts: [shared - before.shared, repeated - before.repeated] };
    };
    const codes = ({ outcome }: ReturnType<typeof run>) =>
      outcome.results.map((result) => (result.ok ? 'ok' : result.error.code));
    for (const [limit, counts, last] of [
      [5, [1, 0], 'ok'],
      [4, [0, 1], 'ok'],
      [3, [0, 1], 'CLOB_BLOCK_FULL'],
    ] as const) {
      const [one, pool] = [run(limit), run(limit, 2)];
      expectSame(pool.outcome, one.outcome);
      expect(codes(pool)).toEqual(['ok', 'ok', 'ok', last]);
      expect(pool.counts).toEqual(counts);
    }
  });

  it.each([11, 12])('says and does it where marks stay behind: seed %d', (seed) => {
    const random = createPrng(seed);
    const one = quoting({}, 20_000n);
    const pools = [1, 2].map((shards) => quoting({ shards }, 20_000n));
    let center = 100;
    for (let block = 1; block <= drawsOf(30); block++) {
      center = Math.min(160, Math.max(40, center + random.below(9) - 4));
      const steps = randomQuotes(random, 1 + random.below(8), { state: one.state, accounts: quoters, center });
      const timeMs = startMs + 60_000 + block * 700;
      const expected = one.block(steps, timeMs);
      for (const pool of pools) {
        expectSame(pool.block(steps, timeMs), expected);
        expect(brokenInvariants(pool.state)).toEqual([]);
      }
    }
    for (const { pool } of pools) expect(pool().shared).toBeGreaterThan(0);
  });

  it.each([
    { params: {} },
    { params: { fees: { takerPpm: 500, makerPpm: -100, treasury: null, treasuryShareBps: 0 } } },
  ])('leaves what it can not share to one thread: $params', ({ params }) => {
    const random = createPrng(9);
    const one = createHarness({ params });
    const pool = createHarness({ params, shards: 2 });
    for (let block = 1; block <= drawsOf(20); block++) {
      const timeMs = startMs + block * 700;
      const steps = randomBlock(random, 1 + random.below(12), { nowSeconds: Math.floor(timeMs / 1000), risky: true });
      expectSame(pool.block(steps, timeMs), one.block(steps, timeMs));
      expect(brokenInvariants(pool.state)).toEqual([]);
    }
  });
});
