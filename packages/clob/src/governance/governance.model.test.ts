import { describe, expect, it } from '@jest/globals';
import { runAgainstModel } from '../testing/againstModel.ts';
import { defaultMarkets } from '../testing/harness.ts';

/** Changes of parameters beside everything else, against the model. */

const oracle = {
  reportMaxAgeMs: 5_000,
  staleMs: 4_000,
  maxMoveBps: 500,
  resumeAfterMs: 3_000,
  resumeMoveBps: 1_000,
  resumeMs: 1_400,
  eventBps: 30,
  premiumMaxBps: 400,
  settlePerBlock: 2,
};
const funding = { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 };
const fees = { takerPpm: 5000, makerPpm: -2000, treasury: null, treasuryShareBps: 0 };
const withOracle = defaultMarkets.map((market, index) => (index === 1 ? { ...market, oracle: true } : market));

/** Of all runs together. */
const seen = new Set<string>();

describe('engine against the model, with changes of parameters', () => {
  it.each([
    { seed: 701, params: {} },
    { seed: 702, params: { funding, fees, subAccountsMax: 2 }, signs: true, quotes: true },
    { seed: 703, params: { oracle, funding, levelProofs: true }, reports: true, priceStep: 30 },
    {
      seed: 704,
      params: { oracle, fees, autoLiquidatePerBlock: 2, autoDequeue: true, orderChangesPerBlock: 30 },
      reports: true,
      signs: true,
      priceStep: 60,
    },
  ])('gives the same answers, money and roots: seed $seed', ({ params, reports = false, ...run }) => {
    const { counts, restarts, rollbacks } = runAgainstModel({
      ...run,
      operations: 2500,
      params,
      markets: reports ? withOracle : defaultMarkets,
      reports,
      governs: true,
    });
    for (const kind of Object.keys(counts)) seen.add(kind);
    for (const kind of ['trade', 'parameter_changed', 'proposal_passed', 'market_status_set'])
      expect([kind, (counts[kind] ?? 0) > 2]).toEqual([kind, true]);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });

  it('meets all that can become of a change', () => {
    const kinds = [
      'proposed',
      'voted',
      'proposal_ended',
      'position_settled',
      'funding_paid',
      'CLOB_BAD_CHANGE',
      'CLOB_BAD_PROPOSAL',
      'CLOB_UNKNOWN_PROPOSAL',
      'CLOB_NOT_A_VALIDATOR',
      'CLOB_CANCEL_ONLY_MARKET',
      'CLOB_POST_ONLY_MARKET',
      'CLOB_MARKET_HALTED',
      'CLOB_MARKET_DELISTED',
    ];
    expect(kinds.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});
