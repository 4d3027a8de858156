import type { FeeParams } from '@prime/codec';
import { assert } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { changeGlobals, ensureAccount, touchAccount } from '../state/changes.ts';
import { floorOf } from './exact.ts';
import type { FeeSums } from '../state/feeSums.ts';
import { partOf } from '../margin/fees.ts';
import type { Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Fees of the trades of one taker on the short way: those of fees.ts in exact numbers.
 *
 * That a fee is no more than the payer's equity needs no look: who trades on the short way had the larger fee of the whole order, or of the
 * fill, in free collateral beside everything else that it may cost (room.ts).
 */

/** Begins with an order. */
export function beginFees(sums: FeeSums): void {
  sums.traded = 0;
  sums.due = 0;
}

/** Works out the next trade of the order. @param notional wei @returns false when it is not exact: then nothing happened */
export function nextFees(sums: FeeSums, notional: number): boolean {
  const { takerPpm, makerPpm, treasury, treasuryShareBps } = sums.params;
  const traded = sums.traded + notional;
  if (!surelyExact(sums.params, traded)) return false;
  sums.traded = traded;
  const due = feeOf(traded, takerPpm);
  const takerFee = due - sums.due;
  sums.due = due;
  const makerFee = Math.max(feeOf(notional, makerPpm), -takerFee);
  const net = takerFee + makerFee;
  sums.takerFee = takerFee;
  sums.makerFee = makerFee;
  sums.treasury = treasury === null ? 0 : partOf(net, treasuryShareBps, bpsBase);
  sums.insurance = net - sums.treasury;
  return true;
}

/** Takes the fees of the trade that {@link nextFees} worked out, and tells of them behind the trade's event. */
export function takeFees(
  state: ClobState,
  sums: FeeSums,
  market: Market,
  tradeId: number,
  maker: Account,
  taker: Account,
): void {
  const { takerFee, makerFee, insurance, treasury } = sums;
  if (takerFee === 0 && makerFee === 0) return;
  taker.add(-takerFee);
  maker.add(-makerFee);
  if (treasury > 0) {
    const { treasury: address } = sums.params;
    assert(address !== null, 'a share of the fees is for nobody');
    // Money that comes in makes nobody's room smaller.
    touchAccount(state, ensureAccount(state, address)).add(treasury);
  }
  sums.insured += insurance;
  if (sums.insured > exactHalf) insure(state, sums);
  state.log.charged(state.actionIndex, tradeId, market, takerFee, makerFee, insurance, treasury, maker, taker);
}

/** Pays what the insurance fund has got. */
export function insure(state: ClobState, sums: FeeSums): void {
  if (sums.insured === 0) return;
  changeGlobals(state).insurance += BigInt(sums.insured);
  sums.insured = 0;
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
