import type { FundingParams, FundingPool, MarketFunding, MarketOracle } from '@prime/codec';
import { bigintMax, bigintMin, floorDiv, type TimestampMs } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { changeAccount, changeExposure, changeGlobals, changeMarket } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import { fundingIndexOf, isOver, type Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Funding: what holds a price that nothing from outside holds.
 *
 * Each market has an index, the sum of what a long of one base unit has paid. It moves once an interval; a position settles the difference
 * to the index that it has seen when something touches it. Everything that looks at an account counts what is not settled yet, so
 * nobody can see when that happens.
 *
 * Payments are rounded down for the position, so more comes in than goes out. What settled positions paid waits in a pool for those that
 * did not settle yet. As all positions of a market add up to zero, so do their exact payments: the pool is always what the unsettled are
 * owed, and the parts of a wei that rounding left. Whole wei of these go to the insurance fund.
 *
 * @see docs/protocol/clob.md, Funding; docs/adr/0085-funding.md
 */

/** Units of index and reference price in one wei. */
const fundingScale = 10n ** 9n;
const bpsBase = 10_000n;
const weightBase = 256n;

const emptyPool: FundingPool = { interval: 0, pool: 0n, dust: 0n };
const unfunded: Omit<MarketFunding, 'countedMs'> = { index: 0n, change: 0n, reference: null, markSum: 0n, markMs: 0 };

/** What a position pays (negative) or gets once it settles, wei. @param index of its market */
export const unsettledFunding = (
  { size, fundingIndex }: { readonly size: bigint; readonly fundingIndex: bigint },
  index: bigint,
): bigint => (index === fundingIndex || size === 0n ? 0n : floorDiv(-size * (index - fundingIndex), fundingScale));

/** Wei that are on their way between positions, see {@link FundingPool}. */
export const fundingPoolOf = ({ globals }: ClobState): bigint => globals.funding?.pool ?? 0n;

/**
 * Ends the interval when the block is in a later one. However many went by without a block: positions pay for one.
 *
 * @returns whether any index moved
 */
export function advanceFunding(state: ClobState): boolean {
  const { funding: params } = state.params;
  if (params === undefined) return false;
  const interval = Math.floor(state.timeSeconds / params.intervalSeconds);
  const { funding = emptyPool } = state.globals;
  if (interval <= funding.interval) return false;
  changeGlobals(state).funding = { ...funding, interval };
  let moved = false;
  for (const market of state.markets)
    if (market.funding !== undefined && !isOver(market) && endInterval(state, market, params)) moved = true;
  return moved;
}

/** When the interval ends that the committed state is in, ms; Infinity without funding. */
export function intervalEndMs({ params: { funding: params }, globals }: ClobState): number {
  if (params === undefined) return Number.POSITIVE_INFINITY;
  return ((globals.funding ?? emptyPool).interval + 1) * params.intervalSeconds * 1000;
}

function endInterval(state: ClobState, market: Market, params: FundingParams): boolean {
  const { funding, oracle } = counted(state, market);
  const { index, markMs } = funding;
  if (markMs === 0) return false;
  const ends = oracle === undefined ? againstReference(funding, params) : againstIndex(oracle, markMs, params);
  const reset = oracle === undefined ? undefined : { ...oracle, indexSum: 0n, premiumSum: 0n };
  const { change, average, reference, next } = ends;
  Object.assign(changeMarket(state, market), {
    funding: { ...unfunded, index: index + change, change, reference: next, countedMs: state.timestampMs },
    oracle: reset,
  });
  if (change === 0n) return false;
  state.emit('funding_index', { market_id: market.id, index: index + change, change, average, reference });
  return true;
}

/** What the end of an interval says; prices are scaled. */
interface IntervalEnd {
  readonly change: bigint;
  readonly average: bigint;
  /** What the average was compared with. */
  readonly reference: bigint;
  /** What the next one is compared with; null where that is the index. */
  readonly next: bigint | null;
}

/** A market without oracle: its mark is compared with its own slow average. */
function againstReference({ markSum, markMs, reference }: MarketFunding, params: FundingParams): IntervalEnd {
  const average = (markSum * fundingScale) / BigInt(markMs);
  if (reference === null) return { change: 0n, average, reference: average, next: average };
  const next = reference + floorDiv((average - reference) * BigInt(params.referenceWeight), weightBase);
  return { change: rateOf(average - reference, reference, params), average, reference, next };
}

/** The average of the fair price is compared with that of the index; what was stale counts as no premium. */
function againstIndex({ indexSum, premiumSum }: MarketOracle, ms: number, params: FundingParams): IntervalEnd {
  const reference = (indexSum * fundingScale) / BigInt(ms);
  const premium = floorDiv(premiumSum * fundingScale, BigInt(ms));
  return { change: rateOf(premium, reference, params), average: reference + premium, reference, next: null };
}

/** What an interval's premium moves the index of funding by. */
function rateOf(premium: bigint, reference: bigint, { maxRateBps, premiumIntervals }: FundingParams): bigint {
  const most = (reference * BigInt(maxRateBps)) / bpsBase;
  return bigintMax(-most, bigintMin(most, floorDiv(premium, BigInt(premiumIntervals))));
}

/** Takes the mark, or index and premium, that stood until now into the average of the interval; for what is about to change. */
export function countFunding(state: ClobState, market: Market): void {
  if (state.params.funding === undefined) return;
  const { funding, oracle } = counted(state, market);
  Object.assign(changeMarket(state, market), { funding, oracle });
}

/** Begins to count anew with other parameters, or after a time without: what was counted of the interval is of the old ones. */
export function restartFunding(state: ClobState): void {
  const { funding: params } = state.params;
  const { funding = emptyPool } = state.globals;
  if (params !== undefined)
    changeGlobals(state).funding = { ...funding, interval: Math.floor(state.timeSeconds / params.intervalSeconds) };
  const none = { markSum: 0n, markMs: 0, countedMs: state.timestampMs as TimestampMs };
  for (const market of state.markets) {
    const { funding: counted, oracle } = changeMarket(state, market);
    if (params !== undefined || counted !== undefined) market.funding = { ...unfunded, ...counted, ...none };
    if (oracle !== undefined) market.oracle = { ...oracle, indexSum: 0n, premiumSum: 0n };
  }
}

/** Sums of the interval up to now. */
function counted(
  { timestampMs }: ClobState,
  { status, markPrice, funding = { ...unfunded, countedMs: timestampMs }, oracle }: Market,
): { readonly funding: MarketFunding; readonly oracle: MarketOracle | undefined } {
  const now = { ...funding, countedMs: timestampMs };
  // Nobody can do anything about a position in a market that is halted.
  if (status === 'halted') return { funding: now, oracle };
  const ms = timestampMs - funding.countedMs;
  const markMs = funding.markMs + ms;
  if (oracle === undefined)
    return markPrice === null
      ? { funding: now, oracle }
      : { funding: { ...now, markSum: funding.markSum + markPrice * BigInt(ms), markMs }, oracle };
  const { index, premium, staleSinceMs } = oracle;
  if (index === null) return { funding: now, oracle };
  const indexSum = oracle.indexSum + index * BigInt(ms);
  const premiumSum = oracle.premiumSum + (staleSinceMs === null ? premium * BigInt(ms) : 0n);
  return { funding: { ...now, markMs }, oracle: { ...oracle, indexSum, premiumSum } };
}

/** Pays what a position owes, or what it is owed, up to now. */
export function settleFunding(state: ClobState, account: Account, exposure: Exposure): void {
  const index = fundingIndexOf(state.market(exposure.marketId)!);
  const { fundingIndex } = exposure;
  if (index === fundingIndex) return;
  const { size } = exposure;
  if (size === 0n) return;
  const exact = -size * (index - fundingIndex);
  const amount = unsettledFunding(exposure, index);
  const { funding = emptyPool } = state.globals;
  const dust = funding.dust + exact - amount * fundingScale;
  const insurance = dust / fundingScale;
  const globals = changeGlobals(state);
  globals.funding = { ...funding, pool: funding.pool - amount - insurance, dust: dust % fundingScale };
  globals.insurance += insurance;
  changeAccount(state, account).collateral += amount;
  changeExposure(state, account, exposure);
  exposure.addClaim(amount);
  exposure.fundingIndex = index;
  const { address } = account;
  state.emit('funding_paid', { address, market_id: exposure.marketId, size, amount, index, insurance });
}

/** Settles all positions of an account, in the order of their markets. */
export function settleAllFunding(state: ClobState, account: Account): void {
  if (state.globals.funding === undefined) return;
  for (const exposure of account.exposures) settleFunding(state, account, exposure);
}
