import type { Deleverage } from '@prime/codec';
import { bigintAbs, bigintMax, bigintMin } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { hasPosition } from '../state/accounts.ts';
import { writeOff } from './claims.ts';
import type { Closing, Position } from './closeInBook.ts';
import { closeForValue, settleFill } from './fills.ts';
import { payFromFund } from './insurance.ts';
import { equityOf, liquidationState, unrealized } from './margin.ts';
import type { Market } from '../state/markets.ts';
import { rankedAgainst } from './rankedAgainst.ts';
import type { ClobState } from '../state/state.ts';

/** Who pays for an account that has less than nothing, in their order. */

/** The insurance fund pays. @returns what the account is still short of, wei */
export function coverLoss(state: ClobState, account: Account): bigint {
  const { equity } = liquidationState(account, state.marginMarket);
  return equity >= 0n ? 0n : -equity - payFromFund(state, account, -equity);
}

/** Shares of a loss by unrealized loss; where no position has any, the first one has all of it. */
export function sharesOf(positions: readonly Position[], loss: bigint): bigint[] {
  const losses = positions.map(({ exposure, price }) =>
    bigintMax(0n, -unrealized(exposure.size, exposure.entry, price)),
  );
  let all = losses.reduce((sum, own) => sum + own, 0n);
  if (all === 0n) return positions.map((_, index) => (index === 0 ? loss : 0n));
  let left = loss;
  return losses.map((own) => {
    const share = own === 0n ? 0n : (left * own) / all;
    all -= own;
    left -= share;
    return share;
  });
}

/**
 * Closes a position against those on the other side, at the mark. A share of the loss is taken out of their profit there: at most all of it, and at most
 * what they are worth.
 */
export function deleverage(state: ClobState, closing: Closing, share: bigint): Deleverage[] {
  const { id, account, exposure, market, price } = closing;
  const isLong = exposure.size > 0n;
  const closed: Deleverage[] = [];
  let left = bigintAbs(exposure.size);
  let unpaid = share;
  if (left === 0n) return closed;
  for (const { account: other, exposure: theirs } of rankedAgainst(state, exposure, price)) {
    const size = bigintMin(left, bigintAbs(theirs.size));
    const atMark = closeForValue(theirs.size, theirs.entry, size, size * price);
    const worth = equityOf(other, state.marginMarket);
    const paid = bigintMin(unpaid, bigintMax(0n, bigintMin(atMark.realized, worth)));
    const value = isLong ? size * price + paid : size * price - paid;
    settleFill(state, other, theirs, closeForValue(theirs.size, theirs.entry, size, value));
    settleFill(state, account, exposure, closeForValue(exposure.size, exposure.entry, size, value));
    left -= size;
    unpaid -= paid;
    const signed = isLong ? size : -size;
    const { address } = account;
    state.emit('deleveraged', {
      address,
      order_id: id,
      counterparty: other.address,
      market_id: market.id,
      size: signed,
      value,
    });
    closed.push({ address: other.address, size, value });
    settleLoss(state, other, market);
    if (left === 0n) break;
  }
  return closed;
}

/** Ends what an account owes that has no position any more: the fund pays, and the rest is a debt of markets. @returns the rest, wei */
export function settleLoss(state: ClobState, account: Account, closed: Market): bigint {
  if (account.collateral >= 0n || hasPosition(account)) return 0n;
  payFromFund(state, account, -account.collateral);
  return account.collateral < 0n ? writeOff(state, account, closed) : 0n;
}
