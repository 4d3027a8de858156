import type { MarginParams, MarketRecord, RiskTier } from '@prime/codec';
import { bigintMax, bigintMin, ceilDiv } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { type MarginTerms, noTerms, type Stake } from '../book/exposure.ts';
import type { FillOutcome } from './fills.ts';
import { unsettledFunding } from './funding.ts';
import { fundingIndexOf, isPriceFit, type MarginMarket, type MarginRates } from '../state/markets.ts';

/** What margin asks of a stored market. @param minTrades blocks with trades that one without oracle needs before it may liquidate anyone */
export function storedMarginMarket(
  market: Pick<
    MarketRecord,
    'markPrice' | 'lastPrice' | 'margin' | 'riskTiers' | 'funding' | 'tradeBlocks' | 'oracle' | 'profitPool' | 'status'
  >,
  defaultMargin: MarginParams,
  minTrades: number,
): MarginMarket {
  const { markPrice, lastPrice, margin, riskTiers, tradeBlocks, profitPool = 0n } = market;
  return {
    price: markPrice ?? lastPrice,
    params: { ...(margin ?? defaultMargin), riskTiers },
    fundingIndex: fundingIndexOf(market),
    liquidates: isPriceFit({ tradeBlocks, oracle: market.oracle, status: market.status }, minTrades),
    profitPool,
  };
}

/** Looks a market up by its id; asked for each exposure of an account. */
export type MarginMarketOf = (marketId: number) => MarginMarket;

/** What margin asks of an account. */
export interface Holdings {
  readonly collateral: bigint;
  readonly exposures: readonly Stake[];
}

const bpsBase = 10_000n;

/** Share of a notional in basis points, rounded up: an account is never credited with a fraction it does not have. */
const marginOf = (notional: bigint, rates: MarginRates, kind: keyof MarginParams): bigint =>
  ceilDiv(
    rates.riskTiers === undefined
      ? notional * BigInt(rates[kind])
      : tieredShare(notional, rates, rates.riskTiers, kind),
    bpsBase,
  );

/** Initial margin of a notional, wei. */
const initialOf = (notional: bigint, rates: MarginRates): bigint => marginOf(notional, rates, 'initialMarginBps');

/**
 * Sum of bps * wei over the parts of a notional between the bounds of tiers. A part is charged by its own tier only, so margin has no
 * jump that a position at a bound could be pushed over. A rate that an administrator set for the market counts where it is higher.
 */
function tieredShare(
  notional: bigint,
  base: MarginParams,
  tiers: readonly RiskTier[],
  kind: keyof MarginParams,
): bigint {
  let rate = base[kind];
  let share = notional * BigInt(rate);
  for (const tier of tiers) {
    if (notional <= tier.aboveNotional) break;
    if (tier[kind] <= rate) continue;
    share += (notional - tier.aboveNotional) * BigInt(tier[kind] - rate);
    rate = tier[kind];
  }
  return share;
}

/** Profit that closing a position at a price would realize, wei; 0 without a position. */
export const unrealized = (size: bigint, entry: bigint, price: bigint): bigint =>
  size >= 0n ? size * price - entry : entry + size * price;

/** What an account needs and has, wei. */
export interface MarginState {
  readonly equity: bigint;
  /** Loss that open orders would make at once if they filled at their limits. */
  readonly openLoss: bigint;
  readonly initial: bigint;
  readonly maintenance: bigint;
  /** Funding that is in the equity and not yet in the collateral. */
  readonly unsettled: bigint;
  /** Profit that is in the collateral and that nobody paid yet, see claims.ts. */
  readonly unpaid: bigint;
}

/** Equity less losses and margin of open orders; an order may only add to the account's risk while it is not negative. */
export const freeCollateral = ({ equity, openLoss, initial }: MarginState): bigint => equity - openLoss - initial;

/**
 * Margin of an account over all its markets, open orders counted as if all of one side filled.
 *
 * @see docs/protocol/clob.md, Margin
 */
export function marginState(account: Holdings, marketOf: MarginMarketOf): MarginState {
  let equity = account.collateral;
  let openLoss = 0n;
  let initial = 0n;
  let maintenance = 0n;
  let unsettled = 0n;
  let unpaid = 0n;
  for (const exposure of account.exposures) {
    const { price, params, fundingIndex, profitPool } = marketOf(exposure.marketId);
    const funding = unsettledFunding(exposure, fundingIndex);
    unsettled += funding;
    unpaid += unpaidOf(exposure.claim + funding, profitPool);
    if (price === null) {
      initial += initialOf(bigintMax(exposure.buyNotional, exposure.sellNotional), params);
      continue;
    }
    const { size } = exposure;
    equity += unrealized(size, exposure.entry, price);
    initial += initialOf(worstSize(exposure) * price, params);
    if (size !== 0n) maintenance += maintenanceOf(size, price, params);
    openLoss += bigintMax(0n, exposure.buyNotional - exposure.buySize * price);
    openLoss += bigintMax(0n, exposure.sellSize * price - exposure.sellNotional);
  }
  return { equity: equity + unsettled, openLoss, initial, maintenance, unsettled, unpaid };
}

/** What a market can not pay of an account's profit there, wei. @param claim with funding that is not settled */
export const unpaidOf = (claim: bigint, profitPool: bigint): bigint => (claim > profitPool ? claim - profitPool : 0n);

/** Largest position that the open orders of one side can make of an exposure, base units. */
export function worstSize({ size, buySize, sellSize }: Stake): bigint {
  const held = size < 0n ? -size : size;
  return bigintMax(held, bigintMax(size + buySize, sellSize - size));
}

/** What may leave the account: profit that is unrealized or unpaid never does. */
export const withdrawableCollateral = (
  collateral: bigint,
  { equity, openLoss, initial, unsettled, unpaid }: MarginState,
): bigint => bigintMax(0n, bigintMin(collateral + unsettled - unpaid, equity) - openLoss - initial);

/** An account's side of the question whether it may be liquidated, wei. */
export interface LiquidationState {
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/** Maintenance margin of a position, wei. */
export const maintenanceOf = (size: bigint, price: bigint, rates: MarginRates): bigint =>
  marginOf((size < 0n ? -size : size) * price, rates, 'maintenanceMarginBps');

/** Equity and maintenance margin over the positions in markets that may liquidate. */
export function liquidationState({ collateral, exposures }: Holdings, marketOf: MarginMarketOf): LiquidationState {
  let equity = collateral;
  let maintenance = 0n;
  for (const exposure of exposures) {
    const { marketId, size, entry } = exposure;
    if (size === 0n) continue;
    const { price, params, liquidates, fundingIndex } = marketOf(marketId);
    // Once it is settled it is collateral, which always counts.
    equity += unsettledFunding(exposure, fundingIndex);
    if (price === null || !liquidates) continue;
    equity += unrealized(size, entry, price);
    maintenance += maintenanceOf(size, price, params);
  }
  return { equity, maintenance };
}

/** Collateral and what closing all positions at their prices would realize, wei. */
export function equityOf({ collateral, exposures }: Holdings, marketOf: MarginMarketOf): bigint {
  let equity = collateral;
  for (const exposure of exposures) {
    const { marketId, size, entry } = exposure;
    if (size === 0n) continue;
    const { price, fundingIndex } = marketOf(marketId);
    equity += unsettledFunding(exposure, fundingIndex);
    if (price !== null) equity += unrealized(size, entry, price);
  }
  return equity;
}

/** Maintenance margin is breached: the account may be liquidated. */
export const isLiquidatable = ({ equity, maintenance }: LiquidationState): boolean =>
  maintenance > 0n && equity < maintenance;

/** What one market adds to an account's margin, by the rules of {@link marginState}. */
export function exposureTerms(
  exposure: Stake,
  price: bigint | null,
  rates: MarginRates,
  fundingIndex: bigint,
): MarginTerms {
  const { size, buySize, buyNotional, sellSize, sellNotional } = exposure;
  if (price === null) return { ...noTerms, initial: initialOf(bigintMax(buyNotional, sellNotional), rates) };
  const buyLoss = bigintMax(0n, buyNotional - buySize * price);
  const sellLoss = bigintMax(0n, sellSize * price - sellNotional);
  return {
    profit: unrealized(size, exposure.entry, price) + unsettledFunding(exposure, fundingIndex),
    openLoss: buyLoss + sellLoss,
    initial: initialOf(worstSize(exposure) * price, rates),
    position: initialOf((size < 0n ? -size : size) * price, rates),
  };
}

/**
 * Equity and the initial margin of all positions as a fill would leave them, wei. A fill that adds to a position is allowed when
 * the one covers the other.
 *
 * @param sums of the account @param own terms of the filled market that are in them
 * @param unsettled funding of that market's position, which the fill settles @param fill position in that market and collateral after the fill
 * @param price of the filled market: mark, else the fill's own
 */
export function afterFill(
  { collateral }: Account,
  { sums, own, unsettled }: { readonly sums: MarginTerms; readonly own: MarginTerms; readonly unsettled: bigint },
  fill: FillOutcome,
  price: bigint,
  rates: MarginRates,
): { readonly equity: bigint; readonly required: bigint } {
  const { size, entry, realized } = fill;
  return {
    equity: collateral + unsettled + realized + sums.profit - own.profit + unrealized(size, entry, price),
    required: sums.position - own.position + initialOf((size < 0n ? -size : size) * price, rates),
  };
}

/** Everything about an account's margin, wei. */
export interface AccountMargin extends MarginState {
  readonly free: bigint;
  readonly withdrawable: bigint;
  readonly isLiquidatable: boolean;
}

/** For those who show accounts: by the same rules by which actions are judged. */
export function accountMargin(account: Holdings, marketOf: MarginMarketOf): AccountMargin {
  const state = marginState(account, marketOf);
  return {
    ...state,
    free: freeCollateral(state),
    withdrawable: withdrawableCollateral(account.collateral, state),
    isLiquidatable: isLiquidatable(liquidationState(account, marketOf)),
  };
}
