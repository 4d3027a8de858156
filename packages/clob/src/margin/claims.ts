import { bigintMax, bigintMin } from '@prime/primitives';
import { type Account, owesAnywhere } from '../state/accounts.ts';
import { changeAccount, changeExposure, changeMarket } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import type { Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Who has been paid for what he won.
 *
 * What an account realizes in a market, funding included, is in its collateral at once, and beside it a claim: profit that nobody paid
 * yet, or a loss that was not paid yet. Money of its own is collateral less all claims. At the end of a block losses are paid into the pool of
 * their market, as far as there is money for it. Profit is taken out of that pool when it leaves the account. So no market ever pays out
 * more than what was lost in it, whatever its price did: what a market owes is the affair of who won there, and of nobody else.
 *
 * Claims never change what an account is worth, its margin, or how it is judged. They bound what it can withdraw.
 *
 * @see docs/adr/0214-debts-of-a-market.md
 */

/** Money that is the account's whatever becomes of its claims, wei; below 0 where fees took more than that. */
export function ownOf({ collateral, exposures }: Account): bigint {
  let own = collateral;
  for (const { exactClaim, bigClaim } of exposures)
    if (bigClaim !== null || exactClaim !== 0) own -= bigClaim ?? BigInt(exactClaim);
  return own;
}

/** Moves wei of an account between its claim in a market and its own money. @param amount > 0: the market pays */
function pay(state: ClobState, account: Account, exposure: Exposure, amount: bigint): void {
  changeExposure(state, account, exposure);
  exposure.claim -= amount;
  changeMarket(state, state.market(exposure.marketId)!).profitPool -= amount;
}

/** Has an account pay its losses, by market, as far as it has money of its own. Its record is being written. */
function payLosses(state: ClobState, account: Account): void {
  const { exposures } = account;
  if (!owesAnywhere(account)) return;
  let own = ownOf(account);
  for (const exposure of exposures) {
    if (own <= 0n) return;
    if (!exposure.owes) continue;
    const paid = bigintMin(own, -exposure.claim);
    pay(state, account, exposure, -paid);
    own -= paid;
  }
}

/** {@link payLosses} of all accounts that the block touched. Pools only grow by it, so the order is nobody's affair. */
export function payAllLosses(state: ClobState): void {
  for (const account of state.dirtyAccounts) payLosses(state, account);
}

/** Makes an amount that an account may withdraw its own money: what is missing is taken from the pools, by market. */
export function takeProfit(state: ClobState, account: Account, amount: bigint): void {
  payLosses(state, account);
  const { exposures } = account;
  // Losses that are not paid yet come first.
  let missing = amount - ownOf(account);
  for (const { owes, claim } of exposures) if (owes) missing -= claim;
  if (missing <= 0n) return;
  for (const exposure of exposures) {
    const { profitPool } = state.market(exposure.marketId)!;
    const paid = bigintMin(missing, bigintMin(bigintMax(0n, exposure.claim), profitPool));
    if (paid <= 0n) continue;
    pay(state, account, exposure, paid);
    missing -= paid;
  }
  payLosses(state, account);
}

/**
 * Takes a loss that nobody paid off an account that holds nothing: it becomes a debt of the markets where the account owes, in proportion.
 *
 * @param closed in which it held something last: the debtor where it owes nowhere @returns the loss, wei
 */
export function writeOff(state: ClobState, account: Account, closed: Market): bigint {
  payLosses(state, account);
  const { address, exposures } = account;
  const loss = -account.collateral;
  changeAccount(state, account).collateral = 0n;
  state.emit('bad_debt', { address, amount: loss });
  const debtors = exposures.filter(({ owes }) => owes);
  if (debtors.length === 0) debtors.push(exposures.find(({ marketId }) => marketId === closed.id)!);
  let owed = 0n;
  for (const { claim } of debtors) owed -= claim;
  let left = loss;
  for (const [index, exposure] of debtors.entries()) {
    const own = -exposure.claim;
    const amount = index === debtors.length - 1 ? left : (left * own) / owed;
    owed -= own;
    left -= amount;
    if (amount === 0n) continue;
    changeExposure(state, account, exposure);
    exposure.claim += amount;
    const market = changeMarket(state, state.market(exposure.marketId)!);
    market.debt += amount;
    state.emit('market_debt', { market_id: market.id, address, amount, debt: market.debt });
  }
  return loss;
}
