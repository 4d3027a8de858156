import { describe, expect, it } from '@jest/globals';
import { decodeEventFrames } from '@prime/codec';
import { Model, modelAccounts, modelEvents, modelResult } from '@prime/model';
import { createPrng } from '@prime/primitives';
import { createInspectableEngine } from './engine.ts';
import { runAgainstModel } from './testing/againstModel.ts';
import { accountsOf } from './testing/comparison.ts';
import {
  addressOf,
  createHarness,
  defaultMarkets,
  defaultParams,
  type Harness,
  startMs,
  type Step,
} from './testing/harness.ts';
import { brokenInvariants } from './testing/invariants.ts';
import { randomBlock } from './testing/streams.ts';

const params = { maxOpenOrders: 6 } as const;
const huge = 1n << 60n;

interface Scenario {
  readonly seed: number;
  readonly blocks: number;
  readonly scale: bigint;
}

function* blocksOf({ seed, blocks, scale }: Scenario): Generator<{ steps: Step[]; timeMs: number }> {
  const random = createPrng(seed);
  for (let index = 1; index <= blocks; index++) {
    const timeMs = startMs + index * 700;
    const nowSeconds = Math.floor(timeMs / 1000);
    yield { steps: randomBlock(random, 1 + random.below(12), { scale, nowSeconds }), timeMs };
  }
}

describe('engine against the model', () => {
  const scenarios: Scenario[] = [
    ...[1, 2, 3, 4, 5, 6].map((seed) => ({ seed, blocks: 60, scale: 1n })),
    ...[7, 8].map((seed) => ({ seed, blocks: 40, scale: huge })),
  ];
  it.each(scenarios)('gives the same results, events and accounts: seed $seed, scale $scale', (scenario) => {
    const harness = createHarness({ params });
    const model = new Model({ ...defaultParams, ...params }, defaultMarkets);
    for (const { steps, timeMs } of blocksOf(scenario)) {
      const outcome = harness.block(steps, timeMs);
      const expected = model.block(steps, timeMs);
      expect(outcome.results.map(modelResult)).toEqual(expected);
      expect(modelEvents(decodeEventFrames(outcome.events))).toEqual(model.events);
      expect(accountsOf(harness)).toEqual(modelAccounts(model));
      expect(brokenInvariants(harness.state)).toEqual([]);
    }
    expect(model.state.nextTrade).toBeGreaterThan(scenario.blocks / 4);
    // Sizes beyond 2^53 lots must have moved a market to the wide book, and only they.
    expect(harness.state.markets.some(({ book }) => book.zero === 0n)).toBe(scenario.scale !== 1n);
  });
});

describe('engine against the model, with liquidations, transfers and prices that move', () => {
  const fees = { takerPpm: 5000, makerPpm: -2000, treasury: addressOf(3), treasuryShareBps: 3000 };
  const riskTiers = [
    { aboveNotional: 500n, initialMarginBps: 1500, maintenanceMarginBps: 700 },
    { aboveNotional: 6000n, initialMarginBps: 6000, maintenanceMarginBps: 3000 },
  ];
  const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
  const hardened = { impactNotional: 2000n, emaWeight: 64, maxMoveBps: 150, minTrades: 3 };
  const debts = ['market_debt', 'debt_repaid', 'CLOB_PROFIT_UNPAID'];
  it.each([
    { seed: 41, params: {} },
    { seed: 42, params: { autoLiquidatePerBlock: 2, autoDequeue: true } },
    { seed: 43, params: { mark: hardened } },
    {
      seed: 100,
      params: { fees: { ...fees, makerPpm: 0 }, funding, autoLiquidatePerBlock: 1, insuranceSlippageBps: 300 },
      priceStep: 40,
    },
    { seed: 47, params: { fees, riskTiers }, priceStep: 40 },
    { seed: 44, params: { mark: hardened, autoLiquidatePerBlock: 1, liquidationFeeBps: 0 } },
    {
      seed: 45,
      params: {
        funding: { ...funding, maxRateBps: 10_000, premiumIntervals: 1 },
        mark: hardened,
        autoLiquidatePerBlock: 1,
      },
      priceStep: 150,
      quotes: true,
    },
    // Slices that are a lot, and the least worth of a slice on both sides of it; orders near the band and beyond.
    {
      seed: 48,
      params: {
        liquidation: { sliceBps: 2000, sliceNotionalMin: 300n, bandBps: 500, rewardBps: 1000 },
        autoLiquidatePerBlock: 2,
        fees: { ...fees, makerPpm: 0 },
      },
      priceStep: 12,
    },
    {
      seed: 49,
      params: {
        liquidation: { sliceBps: 100, sliceNotionalMin: 0n, bandBps: 200, rewardBps: 10_000 },
        autoLiquidatePerBlock: 1,
        insuranceSlippageBps: 100,
      },
      priceStep: 40,
    },
  ])('gives the same answers, money and roots: seed $seed', ({ seed, params: more, priceStep = 5, quotes = false }) => {
    const { counts, restarts, rollbacks } = runAgainstModel({
      seed,
      operations: 3000,
      params: more,
      priceStep,
      quotes,
    });
    for (const kind of ['trade', 'liquidation', 'transfer_queued', 'transfer_completed'])
      expect([kind, (counts[kind] ?? 0) >= 5]).toEqual([kind, true]);
    for (const kind of ['deleveraged', 'transfer_failed', ...(seed === 48 ? debts : [])])
      expect([kind, (counts[kind] ?? 0) > 0]).toEqual([kind, true]);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });
});

describe('engine against the model, with triggers', () => {
  const trigger = { slippageBps: 500, perAccountMax: 5, perMarketMax: 14, perBlockMax: 2 };
  const ended = ['parent', 'group', 'position', 'user'].map((reason) => `trigger_ended ${reason}`);
  const kinds = ['trade', 'trigger_placed', 'trigger_fired', ...ended, 'order_cancelled group', 'order_reduced'];
  it.each([
    { seed: 401, params: { trigger } },
    { seed: 402, params: { trigger: { ...trigger, perBlockMax: 1 }, autoLiquidatePerBlock: 2 }, priceStep: 30 },
    { seed: 403, params: { trigger, orderChangesPerBlock: 12 }, signs: true },
    {
      seed: 410,
      params: {
        trigger: { ...trigger, slippageBps: 0, perAccountMax: 3 },
        cancelFirst: true,
        mark: { impactNotional: 0n, emaWeight: 60, maxMoveBps: 300, minTrades: 0 },
        subAccountsMax: 2,
        levelProofs: true,
      },
      quotes: true,
      signs: true,
    },
  ])('gives the same answers, money, triggers and roots: seed $seed', ({ seed, params: more, ...options }) => {
    const { counts, restarts, rollbacks } = runAgainstModel({ seed, operations: 2500, params: more, ...options });
    // Signed by others than their owners, few changes of triggers are taken.
    const changed = 'signs' in options ? [] : ['trigger_changed'];
    for (const kind of [...kinds, ...changed, 'CLOB_TOO_MANY_TRIGGERS'])
      expect([kind, (counts[kind] ?? 0) > 0]).toEqual([kind, true]);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });
});

describe('engine against the model, with limits of markets', () => {
  const limits = { openInterestMax: 40n, positionMax: 45n, priceBandBps: 900, orderNotionalMax: 25_000n };
  const kinds = ['CLOB_OPEN_INTEREST', 'CLOB_POSITION_LIMIT', 'CLOB_PRICE_BAND', 'CLOB_ORDER_NOTIONAL'];
  it.each([
    { seed: 301, params: { limits } },
    { seed: 305, params: { limits, autoLiquidatePerBlock: 2, autoDequeue: true }, priceStep: 40 },
    { seed: 303, params: { limits: { ...limits, orderNotionalMax: 0n } }, signs: true },
    {
      seed: 304,
      params: { limits, mark: { impactNotional: 0n, emaWeight: 8, maxMoveBps: 20, minTrades: 0 } },
      quotes: true,
    },
  ])('gives the same answers, money and roots: seed $seed', ({ seed, params: more, ...options }) => {
    const { counts, restarts, rollbacks } = runAgainstModel({ seed, operations: 2500, params: more, ...options });
    const wanted = kinds.filter((kind) => kind !== 'CLOB_ORDER_NOTIONAL' || more.limits.orderNotionalMax > 0n);
    for (const kind of ['trade', ...wanted]) expect([kind, (counts[kind] ?? 0) >= 5]).toEqual([kind, true]);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });
});

describe('engine against the model, with signatures, agents and writes of contracts', () => {
  const hardened = { impactNotional: 2000n, emaWeight: 64, maxMoveBps: 150, minTrades: 3 };
  it.each([
    { seed: 201, params: {} },
    { seed: 202, params: { mark: hardened, autoLiquidatePerBlock: 1, autoDequeue: true } },
    { seed: 203, params: { orderChangesPerBlock: 9 } },
  ])('gives the same answers, money, authority and roots: seed $seed', ({ seed, params: more }) => {
    const { counts, restarts, rollbacks } = runAgainstModel({ seed, operations: 1200, params: more, signs: true });
    for (const kind of [
      'trade',
      'agent_approved',
      'agent_revoked',
      'cancel_scheduled',
      'scheduled_cancel',
      'CLOB_UNAUTHORIZED',
      'CLOB_OWNS_NOTHING',
    ])
      expect([kind, (counts[kind] ?? 0) >= 5]).toEqual([kind, true]);
    expect(counts['CLOB_NONCE']).toBeGreaterThan(0);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });
});

describe('engine against the model, with sub-accounts', () => {
  it.each([
    { seed: 211, params: { subAccountsMax: 4 } },
    { seed: 212, params: { subAccountsMax: 2, autoLiquidatePerBlock: 1, autoDequeue: true } },
  ])('gives the same answers, money, authority and roots: seed $seed', ({ seed, params: more }) => {
    const { counts, restarts } = runAgainstModel({ seed, operations: 2500, params: more, signs: true });
    const refusals = ['CLOB_SUB_ACCOUNT', 'CLOB_SUB_ACCOUNT_EXISTS', 'CLOB_UNAUTHORIZED'];
    for (const kind of ['trade', 'sub_account_created', 'collateral_transferred', ...refusals])
      expect([kind, (counts[kind] ?? 0) >= 5]).toEqual([kind, true]);
    if (more.subAccountsMax < 4) expect(counts['CLOB_TOO_MANY_SUB_ACCOUNTS']).toBeGreaterThan(0);
    expect(restarts).toBeGreaterThan(0);
  });
});

describe('narrow and wide books', () => {
  it.each([11, 12, 13])('give identical outcomes: seed %d', (seed) => {
    const narrow = createHarness({ params });
    const wide = createHarness({ params, wideBooks: true });
    for (const { steps, timeMs } of blocksOf({ seed, blocks: 50, scale: 1n })) {
      const [a, b] = [narrow.block(steps, timeMs), wide.block(steps, timeMs)];
      expect(b.results).toEqual(a.results);
      expect(b.ordersRoot).toBe(a.ordersRoot);
    }
    expect(narrow.state.markets.every(({ book }) => book.zero === 0)).toBe(true);
    expect(wide.state.markets.every(({ book }) => book.zero === 0n)).toBe(true);
  });
});

describe('rollback', () => {
  it.each([
    { seed: 21, scale: 1n },
    { seed: 22, scale: 1n },
    { seed: 23, scale: huge },
  ])('of a block leaves nothing behind: seed $seed, scale $scale', ({ seed, scale }) => {
    const plain = createHarness({ params });
    const speculative = createHarness({ params });
    const other = blocksOf({ seed: seed + 100, blocks: 100, scale });
    for (const { steps, timeMs } of blocksOf({ seed, blocks: 50, scale })) {
      const before = speculative.engine.ordersRoot();
      speculative.drop(other.next().value!.steps, timeMs);
      expect(speculative.engine.ordersRoot()).toBe(before);
      expect(brokenInvariants(speculative.state)).toEqual([]);
      const [a, b] = [plain.block(steps, timeMs), speculative.block(steps, timeMs)];
      expect(b.results).toEqual(a.results);
      expect(b.ordersRoot).toBe(a.ordersRoot);
      expect(b.writes).toEqual(a.writes);
    }
  });
});

describe('restore', () => {
  it.each([
    { seed: 31, scale: 1n },
    { seed: 32, scale: 1n },
    { seed: 33, scale: huge },
  ])('from records gives the same root and the same future: seed $seed, scale $scale', ({ seed, scale }) => {
    const original = createHarness({ params });
    const blocks = [...blocksOf({ seed, blocks: 60, scale })];
    for (const { steps, timeMs } of blocks.slice(0, 30)) original.block(steps, timeMs);
    const { engine, state } = createInspectableEngine({ params: { ...defaultParams, ...params }, actionsMode: 'open' });
    const records = [...original.records.values()].reverse();
    engine.restore(records.slice(0, 7));
    engine.restore(records.slice(7));
    expect(engine.ordersRoot()).toBe(original.engine.ordersRoot());
    expect(brokenInvariants(state)).toEqual([]);
    const future = blocks.slice(30);
    const mirrored = mirror(original, engine);
    for (const { steps, timeMs } of future) original.block(steps, timeMs);
    expect(mirrored()).toBe(future.length);
    expect(engine.ordersRoot()).toBe(original.engine.ordersRoot());
  });
});

/** Feeds a second engine with every block that the harness executes, and compares outcomes. @returns how many blocks it saw */
function mirror({ engine }: Harness, copy: Harness['engine']): () => number {
  const { execute } = engine;
  let count = 0;
  engine.execute = (block) => {
    const outcome = execute.call(engine, block);
    expect(copy.execute(block)).toEqual(outcome);
    copy.commit();
    count++;
    return outcome;
  };
  return () => count;
}
