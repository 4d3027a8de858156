import type { FeeParams } from '@prime/codec';
import { bigintMax, bigintMin, ceilDiv } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { changeAccount, changeGlobals, ensureAccount } from '../state/changes.ts';
import { floorOf } from '../lane/exact.ts';
import { marginSums } from './marginSums.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Fees of trades.
 *
 * Rates are millionths of the notional. Whatever is rounded is rounded against the trader: a fee up, a rebate down. A taker's order is
 * rounded once, over all that it trades, so its fee is known before it is admitted however many makers it meets, and each fill's part of it
 * still covers the rebate of that fill: ceil(a + b) - ceil(a) >= floor(b). A fee never takes more than the equity that is there, so closing a
 * position is always possible and nobody sinks below zero by a fee; a rebate never gives more than the taker paid. So each trade
 * leaves a remainder >= 0, which the insurance fund and the treasury share.
 *
 * @see docs/protocol/clob.md, Fees; docs/adr/0084-fees.md
 */

const ppmBase = 1_000_000n;
const bpsBase = 10_000n;

/** Fee of a notional, wei; rounded up, so that a rebate (negative) is rounded down. */
const feeOf = (notional: bigint, ppm: number): bigint => ceilDiv(notional * BigInt(ppm), ppmBase);

/**
 * Floor of value * rate / base in exact numbers, whose product need not be one.
 *
 * @param value exact, >= 0 @param rate 0 to base @param base whose square is exact
 */
export function partOf(value: number, rate: number, base: number): number {
  const whole = floorOf(value, base);
  return whole * rate + floorOf((value - whole * base) * rate, base);
}

/** Most that an order can cost in fees if it trades for up to that notional, wei. */
export const feeReserve = (notional: bigint, { takerPpm, makerPpm }: FeeParams): bigint =>
  feeOf(notional, Math.max(takerPpm, makerPpm));

/** What a maker has to be able to pay for a fill, wei, >= 0. */
export const makerFeeMax = (notional: bigint, { makerPpm }: FeeParams): bigint =>
  makerPpm > 0 ? feeOf(notional, makerPpm) : 0n;

/** Part of an order's fee that its next fill adds, wei. @param traded notional of the fills before it */
export const takerFeeOf = (traded: bigint, notional: bigint, { takerPpm }: FeeParams): bigint =>
  feeOf(traded + notional, takerPpm) - feeOf(traded, takerPpm);

/** A trade, or one fill of a liquidation, that fees are taken for. Amounts are wei. */
export interface FeeTrade {
  readonly taker: Account;
  readonly maker: Account;
  readonly notional: bigint;
  /** What the taker owes for this trade; nothing in a liquidation, which has a fee of its own. */
  readonly takerFee: bigint;
  /** What a liquidation brought the insurance fund with this trade: a rebate may come out of it. */
  readonly liquidationFee: bigint;
}

/** Wei that a trade moved; what the maker paid is negative for a rebate. */
export interface ChargedFees {
  readonly takerFee: bigint;
  readonly makerFee: bigint;
  readonly insurance: bigint;
  readonly treasury: bigint;
}

/** Takes the fees of a trade whose fills are booked. */
export function chargeFees(state: ClobState, params: FeeParams, trade: FeeTrade): ChargedFees {
  const { taker, maker, notional } = trade;
  const takerFee = affordable(state, taker, trade.takerFee);
  const makerDue = feeOf(notional, params.makerPpm);
  const makerFee =
    makerDue > 0n ? affordable(state, maker, makerDue) : bigintMax(makerDue, -(takerFee + trade.liquidationFee));
  if (takerFee !== 0n) changeAccount(state, taker).collateral -= takerFee;
  if (makerFee !== 0n) changeAccount(state, maker).collateral -= makerFee;
  const net = takerFee + makerFee;
  const treasury = params.treasury === null || net <= 0n ? 0n : (net * BigInt(params.treasuryShareBps)) / bpsBase;
  if (params.treasury !== null && treasury > 0n)
    changeAccount(state, ensureAccount(state, params.treasury)).collateral += treasury;
  const insurance = net - treasury;
  if (insurance !== 0n) changeGlobals(state).insurance += insurance;
  return { takerFee, makerFee, insurance, treasury };
}

/** As much of a fee as the account has equity for. */
const affordable = (state: ClobState, account: Account, fee: bigint): bigint =>
  fee === 0n ? 0n : bigintMin(fee, bigintMax(0n, account.collateral + marginSums(state, account).profit));
