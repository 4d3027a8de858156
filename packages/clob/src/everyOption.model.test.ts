import { describe, expect, it } from '@jest/globals';
import type { ClobParams } from '@prime/codec';
import { type Run, runAgainstModel } from './testing/againstModel.ts';
import { addressOf, defaultMarkets } from './testing/harness.ts';

/**
 * Every option of a network at once: prices from outside by validators that come and go, limits, triggers, sub-accounts, scheduled cancels, fees,
 * funding, liquidations, debts, markets that end, parameters that change. Beside the model and all invariants {@link runAgainstModel} holds H1 (events from
 * genesis on tell the books, positions and collateral of every height), O2 and O3.
 */

const params: Partial<ClobParams> = {
  oracle: {
    reportMaxAgeMs: 5_000,
    staleMs: 4_000,
    maxMoveBps: 500,
    resumeAfterMs: 3_000,
    resumeMoveBps: 1_000,
    resumeMs: 1_400,
    eventBps: 30,
    premiumMaxBps: 400,
    settlePerBlock: 2,
  },
  fees: { takerPpm: 5000, makerPpm: -2000, treasury: addressOf(3), treasuryShareBps: 2500 },
  funding: { intervalSeconds: 2, maxRateBps: 400, premiumIntervals: 2, referenceWeight: 30 },
  mark: { impactNotional: 2000n, emaWeight: 64, maxMoveBps: 150, minTrades: 3 },
  riskTiers: [
    { aboveNotional: 500n, initialMarginBps: 1500, maintenanceMarginBps: 700 },
    { aboveNotional: 6000n, initialMarginBps: 6000, maintenanceMarginBps: 3000 },
  ],
  limits: { openInterestMax: 400n, positionMax: 150n, priceBandBps: 3000, orderNotionalMax: 20_000n },
  liquidation: { sliceBps: 2000, sliceNotionalMin: 300n, bandBps: 500, rewardBps: 1000 },
  subAccountsMax: 2,
  trigger: { slippageBps: 800, perAccountMax: 8, perMarketMax: 20, perBlockMax: 3 },
  autoLiquidatePerBlock: 2,
  autoDequeue: true,
  orderChangesPerBlock: 30,
  insuranceSlippageBps: 300,
  levelProofs: true,
};
const oneOracle = defaultMarkets.map((market, index) => (index === 1 ? { ...market, oracle: true } : market));
const twoOracles = defaultMarkets.map((market) => ({ ...market, oracle: true }));

const everything: Omit<Run, 'seed' | 'operations'> = {
  params,
  markets: oneOracle,
  priceStep: 30,
  quotes: true,
  signs: true,
  reports: true,
  rotates: true,
};

/** Of all runs together. */
const seen = new Set<string>();

/** Prices that leave debts, and nothing that holds them or a loss back. */
const { riskTiers: _tiers, ...untiered } = params;
const wild: Partial<ClobParams> = {
  ...untiered,
  oracle: { ...params.oracle!, maxMoveBps: 0 },
  mark: { ...params.mark!, minTrades: 0, maxMoveBps: 0 },
  fees: { ...params.fees!, makerPpm: -5000 },
  limits: { ...params.limits!, openInterestMax: 0n, positionMax: 0n },
  autoLiquidatePerBlock: 1,
};

describe('engine against the model, with every option at once', () => {
  it.each<Partial<Run> & Pick<Run, 'seed' | 'operations'>>([
    { seed: 505, operations: 2500 },
    { seed: 606, governs: true, operations: 6000 },
    { seed: 604, governs: true, operations: 4000, priceStep: 100, markets: twoOracles, signs: false },
    { seed: 601, operations: 4000, priceStep: 150, params: wild, quotes: false, signs: false },
  ])('gives the same answers, money, authority, events and roots: seed $seed, $operations operations', (run) => {
    const { counts, restarts, rollbacks } = runAgainstModel({ ...everything, ...run });
    for (const kind of Object.keys(counts)) seen.add(kind);
    for (const kind of ['trade', 'index_set', 'oracle_stale', 'oracle_resumed', 'trigger_fired', 'funding_paid'])
      expect([kind, (counts[kind] ?? 0) > 0]).toEqual([kind, true]);
    expect(Math.min(restarts, rollbacks)).toBeGreaterThan(0);
  });

  it('meets all that moves an order, a position or collateral', () => {
    const kinds = [
      'order_accepted order_reduced order_cancelled trade_fees scheduled_cancel sub_account_created proposal_passed',
      'trigger_placed trigger_changed trigger_ended collateral_deposited collateral_withdrawn collateral_transferred',
      'liquidation deleveraged bad_debt market_debt debt_covered debt_repaid insurance_changed position_settled loss_settled',
      'oracle_refused CLOB_NOT_A_REPORTER CLOB_NOT_A_VALIDATOR CLOB_POSITION_LIMIT CLOB_PRICE_BAND',
    ].flatMap((words) => words.split(' '));
    expect(kinds.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});
