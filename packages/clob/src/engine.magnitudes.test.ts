/** The engine beside the model where prices, sizes and balances are as large as the protocol allows, and no amount divides without a rest. */
import { describe, expect, it } from '@jest/globals';
import type { ClobParams } from '@prime/codec';
import { runAgainstModel } from './testing/againstModel.ts';
import { addressOf } from './testing/harness.ts';
import { type Magnitude, magnifiedMarkets, magnifiedParams } from './testing/magnitudes.ts';

const fees = { takerPpm: 5003, makerPpm: 997, treasury: addressOf(0xfee), treasuryShareBps: 3001 };
const riskTiers = [
  { aboveNotional: 500n, initialMarginBps: 1501, maintenanceMarginBps: 701 },
  { aboveNotional: 6000n, initialMarginBps: 6001, maintenanceMarginBps: 3001 },
];
const funding = { intervalSeconds: 2, maxRateBps: 401, premiumIntervals: 3, referenceWeight: 31 };
const mark = { impactNotional: 2000n, emaWeight: 63, maxMoveBps: 151, minTrades: 3 };

interface Case {
  readonly seed: number;
  readonly magnitude: Magnitude;
  readonly params: Partial<ClobParams>;
}

const cases: readonly Case[] = [
  {
    seed: 311,
    magnitude: { price: 1_000_003n, size: 999_983n },
    params: { fees, riskTiers, autoLiquidatePerBlock: 1 },
  },
  {
    seed: 312,
    magnitude: { price: 2n ** 31n - 1n, size: 2n ** 61n - 1n },
    params: { fees: { ...fees, makerPpm: -1999 }, funding, autoLiquidatePerBlock: 1, insuranceSlippageBps: 301 },
  },
  {
    seed: 313,
    magnitude: { price: 3n, size: 2n ** 80n + 13n },
    params: { mark, funding, autoLiquidatePerBlock: 2, autoDequeue: true },
  },
  {
    seed: 314,
    magnitude: { price: 2n ** 70n + 25n, size: 1n },
    params: { mark: { ...mark, minTrades: 1 }, riskTiers, fees: { ...fees, treasury: null } },
  },
];

describe('engine against the model at large magnitudes', () => {
  it.each(cases)('gives the same answers, money and roots: seed $seed', ({ seed, magnitude, params }) => {
    const { counts } = runAgainstModel({
      seed,
      operations: 2500,
      priceStep: 150,
      magnitude,
      markets: magnifiedMarkets(magnitude),
      params: magnifiedParams(params, magnitude),
    });
    for (const kind of ['trade', 'liquidation', 'transfer_completed'])
      expect([kind, (counts[kind] ?? 0) > 0]).toEqual([kind, true]);
  });
});
