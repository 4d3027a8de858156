import { describe, expect, it } from '@jest/globals';
import type { OracleParams } from '@prime/codec';
import { runAgainstModel } from '../testing/againstModel.ts';
import { defaultMarkets } from '../testing/harness.ts';

const oracle: OracleParams = {
  reportMaxAgeMs: 5_000,
  staleMs: 4_000,
  maxMoveBps: 500,
  resumeAfterMs: 3_000,
  resumeMoveBps: 1_000,
  resumeMs: 2_500,
  eventBps: 30,
  premiumMaxBps: 400,
  settlePerBlock: 2,
};
const markets = defaultMarkets.map((market, index) => (index === 1 ? { ...market, oracle: true } : market));

describe('engine against the model, with prices from outside', () => {
  const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
  const fees = { takerPpm: 5000, makerPpm: -2000, treasury: null, treasuryShareBps: 0 };
  const hardened = { impactNotional: 2000n, emaWeight: 64, maxMoveBps: 150, minTrades: 3 };
  it.each([
    { seed: 301, params: { oracle } },
    { seed: 302, params: { oracle, funding, autoLiquidatePerBlock: 2, autoDequeue: true } },
    { seed: 303, params: { oracle: { ...oracle, maxMoveBps: 0 }, mark: hardened, fees, funding }, priceStep: 40 },
    {
      seed: 304,
      params: { oracle: { ...oracle, premiumMaxBps: 10_000, resumeMs: 0 }, mark: hardened, autoLiquidatePerBlock: 1 },
      priceStep: 150,
      signs: true,
    },
  ])('gives the same answers, money and roots: seed $seed', ({ seed, params, priceStep = 5, signs = false }) => {
    const { counts, restarts, rollbacks } = runAgainstModel({
      seed,
      operations: 3000,
      params,
      markets,
      priceStep,
      signs,
      reports: true,
    });
    const kinds = ['trade', 'index_set', 'oracle_stale', 'oracle_resumed', 'oracle_refused', 'CLOB_ORACLE_STALE'];
    for (const kind of kinds) expect([kind, (counts[kind] ?? 0) >= 5]).toEqual([kind, true]);
    for (const kind of ['CLOB_BAD_REPORT', 'CLOB_NOT_A_REPORTER']) expect(counts[kind]).toBeGreaterThan(0);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });
});

describe('engine against the model, over many days', () => {
  it.each([311, 312])('tells of the same validators that were silent: seed %d', (seed) => {
    // Silence comes and goes within each day.
    const blockMs = 1_804_000;
    const { counts, rollbacks, restarts } = runAgainstModel({
      seed,
      operations: 3000,
      params: { oracle: { ...oracle, staleMs: blockMs + 5_000 } },
      markets,
      blockMs,
      reports: true,
    });
    for (const kind of ['oracle_missing', 'index_set', 'oracle_stale'])
      expect([kind, (counts[kind] ?? 0) >= 5]).toEqual([kind, true]);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });
});
