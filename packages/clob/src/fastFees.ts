import { assert } from '@prime/primitives';
import type { FeeParams } from '@prime/codec';
import type { Account } from './accounts.ts';
import { floorOf } from './exact.ts';
import { partOf } from './fees.ts';
import type { Market } from './markets.ts';
import type { ClobState } from './state.ts';

/**
 * Fees of the trades of one taker on the short way: those of fees.ts in exact numbers.
 *
 * That a fee is no more than the payer's equity needs no look: who trades on the short way had the larger fee of the whole order, or of the
 * fill, in free collateral beside everything else that it may cost (room.ts).
 */
export class FastFees {
  readonly #params: FeeParams;
  /** Notional of the order's trades so far, wei. */
  #traded = 0;
  /** Fee of them. */
  #due = 0;
  /** What the insurance fund got of them and is not in it yet. */
  #insured = 0;
  // Of the trade that is being booked, wei.
  #takerFee = 0;
  #makerFee = 0;
  #insurance = 0;
  #treasury = 0;

  constructor(params: FeeParams) {
    this.#params = params;
  }

  /** Begins with an order. */
  begin(): void {
    this.#traded = 0;
    this.#due = 0;
  }

  /** Works out the next trade of the order. @param notional wei @returns false when it is not exact: then nothing happened */
  next(notional: number): boolean {
    const { takerPpm, makerPpm, treasury, treasuryShareBps } = this.#params;
    const traded = this.#traded + notional;
    if (!surelyExact(this.#params, traded)) return false;
    this.#traded = traded;
    const due = feeOf(traded, takerPpm);
    const takerFee = due - this.#due;
    this.#due = due;
    const makerFee = Math.max(feeOf(notional, makerPpm), -takerFee);
    const net = takerFee + makerFee;
    this.#takerFee = takerFee;
    this.#makerFee = makerFee;
    this.#treasury = treasury === null ? 0 : partOf(net, treasuryShareBps, bpsBase);
    this.#insurance = net - this.#treasury;
    return true;
  }

  /** Takes the fees of the trade that {@link next} worked out, and tells of them behind the trade's event. */
  charge(state: ClobState, market: Market, tradeId: number, maker: Account, taker: Account): void {
    const takerFee = this.#takerFee;
    const makerFee = this.#makerFee;
    if (takerFee === 0 && makerFee === 0) return;
    taker.add(-takerFee);
    maker.add(-makerFee);
    const insurance = this.#insurance;
    const treasury = this.#treasury;
    if (treasury > 0) {
      const { treasury: address } = this.#params;
      assert(address !== null, 'a share of the fees is for nobody');
      // Money that comes in makes nobody's room smaller.
      state.touchAccount(state.account(address)).add(treasury);
    }
    this.#insured += insurance;
    if (this.#insured > exactHalf) this.insure(state);
    state.log.charged(state.actionIndex, tradeId, market, takerFee, makerFee, insurance, treasury, maker, taker);
  }

  /** Pays what the insurance fund has got. */
  insure(state: ClobState): void {
    if (this.#insured === 0) return;
    state.changeGlobals().insurance += BigInt(this.#insured);
    this.#insured = 0;
  }
}

/** Whether all fees of trades of that notional, each of them at most as large as it, are exact numbers. */
export const surelyExact = ({ takerPpm, makerPpm }: FeeParams, notional: number): boolean =>
  notional <= exactHalf && takerPpm <= ppmBase && makerPpm <= ppmBase;

const ppmBase = 1_000_000;
const bpsBase = 10_000;
/** Sums of two of them are exact. */
const exactHalf = 2 ** 52;

/** As feeOf of fees.ts: rounded up, a rebate down. */
function feeOf(notional: number, ppm: number): number {
  const rate = Math.abs(ppm);
  const part = partOf(notional, rate, ppmBase);
  if (ppm < 0) return -part;
  const product = (notional - floorOf(notional, ppmBase) * ppmBase) * rate;
  return floorOf(product, ppmBase) * ppmBase === product ? part : part + 1;
}
