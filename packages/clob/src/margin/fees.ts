import type { FeeParams } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { changeGlobals, ensureAccount, touchAccount } from '../state/changes.ts';
import { isZero, minus, negated, partOf, partUp, plus, type Quantity, zeroOf } from '../book/quantity.ts';
import type { ChargedFees, Trade } from '../records/logRows.ts';
import { marginSums } from './marginSums.ts';
import { weiOfLot } from '../state/markets.ts';
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
 * A rebate out of a taker's fee is profit in the market, and a loss of the taker there (claims.ts). Else who has nothing but profit that nobody
 * paid could give it away as money by trading with himself.
 *
 * @see docs/protocol/clob.md, Fees; docs/adr/0084-fees.md
 */

const ppmBase = 1_000_000;
const bpsBase = 10_000;

/** Fee of a notional, wei; rounded up, so that a rebate (negative) is rounded down. */
const feeOf = <N extends Quantity>(notional: N, ppm: number): N =>
  ppm < 0 ? negated(partOf(notional, -ppm, ppmBase)) : partUp(notional, ppm, ppmBase);

/** Most that an order can cost in fees if it trades for up to that notional, wei. */
export const feeReserve = (notional: bigint, { takerPpm, makerPpm }: FeeParams): bigint =>
  feeOf(notional, Math.max(takerPpm, makerPpm));

/** What a maker has to be able to pay for a fill, wei, >= 0. */
export const makerFeeMax = (notional: bigint, { makerPpm }: FeeParams): bigint =>
  makerPpm > 0 ? feeOf(notional, makerPpm) : 0n;

/** Sums of two of them are exact numbers. */
const exactHalf = 2 ** 52;

/** Fees of the trades of one taker, and what the latest of them cost. */
export class OrderFees implements ChargedFees {
  takerFee: Quantity = 0;
  makerFee: Quantity = 0;
  insurance: Quantity = 0;
  treasury: Quantity = 0;
  /** Notional of its trades so far, wei. */
  #traded: Quantity = 0;
  /** The taker's fee of them, wei. */
  #due: Quantity = 0;
  /** What the insurance fund got of them and is not in it yet, wei. */
  #insured = 0;

  /** Begins with an order. */
  begin(): void {
    this.#traded = 0;
    this.#due = 0;
    this.#insured = 0;
  }

  /** Takes the fees of a trade whose fills are booked: in numbers where all of them are exact. */
  charge(state: ClobState, params: FeeParams, trade: Trade): void {
    const { taker, lots, ticks } = trade;
    const { takerPpm, makerPpm } = params;
    const traded = this.#traded;
    if (typeof lots === 'number' && typeof traded === 'number') {
      const notional = weiOfLot(taker.market, ticks as number) * lots;
      // No fee is larger than the notional.
      if (traded + notional <= exactHalf && takerPpm <= ppmBase && makerPpm <= ppmBase) {
        this.#chargeNext(state, params, trade, notional, traded + notional, this.#due as number);
        return;
      }
    }
    const notional = notionalOf(trade);
    this.#chargeNext(state, params, trade, notional, BigInt(traded) + notional, BigInt(this.#due));
  }

  /** The same in a liquidation, which has a fee of its own. @param liquidationFee wei, >= 0: a rebate may come out of it */
  chargeLiquidation(state: ClobState, params: FeeParams, trade: Trade, liquidationFee: bigint): void {
    this.#take(state, params, trade, notionalOf(trade), 0n, liquidationFee);
  }

  /** Pays what the insurance fund has got. */
  payInsurance(state: ClobState): void {
    if (this.#insured === 0) return;
    changeGlobals(state).insurance += BigInt(this.#insured);
    this.#insured = 0;
  }

  /** @param due fee of the trades before */
  #chargeNext<N extends Quantity>(
    state: ClobState,
    params: FeeParams,
    trade: Trade,
    notional: N,
    traded: N,
    due: N,
  ): void {
    const dueNow = feeOf(traded, params.takerPpm);
    this.#traded = traded;
    this.#due = dueNow;
    this.#take(state, params, trade, notional, minus(dueNow, due), zeroOf(notional));
  }

  #take<N extends Quantity>(
    state: ClobState,
    { makerPpm, treasury: address, treasuryShareBps }: FeeParams,
    { taker: { account: taker, exposure, isSure: isTakerSure }, maker, makerExposure, isMakerSure }: Trade,
    notional: N,
    takerDue: N,
    liquidationFee: N,
  ): void {
    const takerFee = isTakerSure ? takerDue : affordable(state, taker, takerDue);
    let makerFee = feeOf(notional, makerPpm);
    if (makerFee < 0) makerFee = larger(makerFee, negated(plus(takerFee, liquidationFee)));
    else if (!isMakerSure) makerFee = affordable(state, maker, makerFee);
    // Their fills noted that they change.
    taker.add(negated(takerFee));
    maker.add(negated(makerFee));
    if (makerFee < 0 && takerFee > 0) {
      const rebate = larger(makerFee, negated(takerFee));
      exposure.addClaim(rebate);
      makerExposure.addClaim(negated(rebate));
    }
    this.takerFee = takerFee;
    this.makerFee = makerFee;
    this.#share(state, plus(takerFee, makerFee), address, treasuryShareBps);
  }

  /** Shares what is left of a trade's fees between the treasury and the insurance fund. */
  #share<N extends Quantity>(state: ClobState, net: N, treasury: Address | null, shareBps: number): void {
    const share = treasury === null || net <= 0 ? zeroOf(net) : partOf(net, shareBps, bpsBase);
    // Money that comes in makes nobody's room smaller.
    if (treasury !== null && share > 0) touchAccount(state, ensureAccount(state, treasury)).add(share);
    const insurance = minus(net, share);
    this.treasury = share;
    this.insurance = insurance;
    if (typeof insurance === 'number') {
      this.#insured += insurance;
      if (this.#insured > exactHalf) this.payInsurance(state);
    } else if (!isZero(insurance)) changeGlobals(state).insurance += insurance as bigint;
  }
}

const notionalOf = ({ taker: { market }, lots, ticks }: Trade): bigint =>
  BigInt(ticks) * market.tickSize * BigInt(lots) * market.lotSize;

const larger = <N extends Quantity>(a: N, b: N): N => (a < b ? b : a);

/** As much of a fee as the account has equity for. */
function affordable<N extends Quantity>(state: ClobState, account: Account, fee: N): N {
  if (fee <= 0) return fee;
  const equity = account.collateral + marginSums(state, account).profit;
  if (equity >= fee) return fee;
  if (equity <= 0n) return zeroOf(fee);
  return (typeof fee === 'number' ? Number(equity) : equity) as N;
}
