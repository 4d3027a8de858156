import { ordersAddress } from './protocolAddresses.ts';
import type { ClobParams, FeeParams, FundingParams } from './genesis.ts';
import type { MarketLimits, RiskTier } from '../encoding/protocolFields.ts';

/** What parameters of the order book may say: asked of genesis.json, and of each change while a network runs. */

/** The first value that is not allowed. */
export interface RuleProblem {
  /** As in the `clob` section of genesis, with dots. */
  readonly path: string;
  readonly value: unknown;
  /** In words. */
  readonly allowed: string;
}

/** Ten thousand basis points are all of something. */
export const bpsMax = 10_000;
/** Most that a trade costs its taker, or brings its maker: a tenth of the notional. */
export const feePpmMax = 100_000;

interface Margin {
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

const inRange = (path: string, value: number | undefined, least: number, most: number): RuleProblem | null =>
  value === undefined || (value >= least && value <= most)
    ? null
    : { path, value, allowed: `a whole number from ${least} to ${most}` };

const firstOf = (problems: readonly (RuleProblem | null)[]): RuleProblem | null =>
  problems.find((problem) => problem !== null) ?? null;

/** Margin of a market, or of all: 1 <= maintenance <= initial <= 10000. */
export function marginProblem({ initialMarginBps, maintenanceMarginBps }: Margin): RuleProblem | null {
  const initial = inRange('initialMarginBps', initialMarginBps, 1, bpsMax);
  if (initial !== null) return initial;
  return maintenanceMarginBps >= 1 && maintenanceMarginBps <= initialMarginBps
    ? null
    : {
        path: 'maintenanceMarginBps',
        value: maintenanceMarginBps,
        allowed: `1 to initialMarginBps (${initialMarginBps})`,
      };
}

/** Rates of fees: a rebate comes out of the taker's fee, and a share needs somebody who gets it. */
function feesProblem({ takerPpm, makerPpm, treasury, treasuryShareBps }: FeeParams): RuleProblem | null {
  const range =
    inRange('takerPpm', takerPpm, 0, feePpmMax) ??
    inRange('makerPpm', makerPpm, -feePpmMax, feePpmMax) ??
    inRange('treasuryShareBps', treasuryShareBps, 0, bpsMax);
  if (range !== null) return range;
  if (-makerPpm > takerPpm)
    return {
      path: 'makerPpm',
      value: makerPpm,
      allowed: `-takerPpm (${-takerPpm}) or more: a rebate comes out of the taker's fee`,
    };
  if (treasury === null && treasuryShareBps > 0)
    return { path: 'treasuryShareBps', value: treasuryShareBps, allowed: '0 without a treasury' };
  return treasury === ordersAddress
    ? {
        path: 'treasury',
        value: treasury,
        allowed: 'an account that can hold collateral, which the escrow can not',
      }
    : null;
}

/** Sizes are below it. */
const sizeBound = 1n << 128n;

/** Limits of a market, none larger than what it bounds can be. */
export function limitsProblem({
  openInterestMax,
  positionMax,
  priceBandBps,
  orderNotionalMax,
}: MarketLimits): RuleProblem | null {
  const sizes = { openInterestMax, positionMax };
  for (const path of ['openInterestMax', 'positionMax'] as const)
    if (sizes[path] >= sizeBound) return { path, value: sizes[path], allowed: 'below 2^128 base units' };
  if (orderNotionalMax >= sizeBound * sizeBound)
    return { path: 'orderNotionalMax', value: orderNotionalMax, allowed: 'below 2^256 wei' };
  return inRange('priceBandBps', priceBandBps, 0, bpsMax);
}

/** Tiers whose bounds ascend and whose rates never fall. @param base what applies below the first tier */
export function tiersProblem(tiers: readonly RiskTier[], base: Margin): RuleProblem | null {
  let before: RiskTier = { ...base, aboveNotional: 0n };
  for (const [index, tier] of tiers.entries()) {
    const { aboveNotional, initialMarginBps: initial, maintenanceMarginBps: maintenance } = tier;
    const problem = (name: string, value: unknown, allowed: string): RuleProblem => ({
      path: `${index}.${name}`,
      value,
      allowed,
    });
    if (aboveNotional <= before.aboveNotional)
      return problem('aboveNotional', aboveNotional, `more than ${before.aboveNotional}`);
    if (initial > bpsMax) return problem('initialMarginBps', initial, `at most ${bpsMax}`);
    if (initial < before.initialMarginBps)
      return problem('initialMarginBps', initial, `at least ${before.initialMarginBps}, as for smaller positions`);
    if (maintenance < before.maintenanceMarginBps || maintenance > initial)
      return problem('maintenanceMarginBps', maintenance, `${before.maintenanceMarginBps} to ${initial}`);
    before = tier;
  }
  return null;
}

const fundingProblem = ({ maxRateBps }: FundingParams): RuleProblem | null =>
  inRange('maxRateBps', maxRateBps, 1, bpsMax);

const within = (section: string, problem: RuleProblem | null | undefined): RuleProblem | null =>
  problem === null || problem === undefined ? null : { ...problem, path: `${section}.${problem.path}` };

/** The first parameter of the order book that is not allowed; null when there is none. */
export function clobProblem(clob: ClobParams): RuleProblem | null {
  const { fees, limits, riskTiers = [], funding, mark, oracle } = clob;
  return firstOf([
    marginProblem(clob),
    within('fees', fees && feesProblem(fees)),
    within('limits', limits && limitsProblem(limits)),
    within('riskTiers', tiersProblem(riskTiers, clob)),
    within('funding', funding && fundingProblem(funding)),
    within('mark', inRange('maxMoveBps', mark.maxMoveBps, 0, bpsMax)),
    ...(['maxMoveBps', 'eventBps', 'premiumMaxBps'] as const).map((name) =>
      within('oracle', inRange(name, oracle?.[name], 0, bpsMax)),
    ),
    inRange('liquidationFeeBps', clob.liquidationFeeBps, 0, bpsMax),
    inRange('insuranceSlippageBps', clob.insuranceSlippageBps, 0, bpsMax),
    inRange('maxOpenOrders', clob.maxOpenOrders, 1, 0xffffffff),
  ]);
}
