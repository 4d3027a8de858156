import { bigintMax, bigintMin, compareStrings } from '@prime/primitives';
import { type Account, isShort, owesAnywhere, ownOf } from '../state/accounts.ts';
import { changeAccount, changeExposure, changeMarket, touchAccount } from '../state/changes.ts';
import type { Exposure } from '../book/exposure.ts';
import type { Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Who has been paid for what he won.
 *
 * What an account realizes in a market, funding included, is in its collateral at once, and beside it a claim: profit that nobody paid
 * yet, or a loss that was not paid yet. Money of its own is collateral less all claims. At the end of a block losses are paid into the pool of
 * their market, with own money and with profit that other markets can pay. Profit is taken out of that pool when it leaves the account. So no
 * market ever pays out more than what was lost in it, whatever its price did: what a market owes is the affair of who won there, and of nobody else.
 *
 * Claims never change what an account is worth, its margin, or how it is judged. They bound what it can withdraw.
 *
 * @see docs/adr/0214-debts-of-a-market.md
 */

/** Moves wei of an account between its claim in a market and its own money. @param amount > 0: the market pays */
function pay(state: ClobState, account: Account, exposure: Exposure, amount: bigint): void {
  touchAccount(state, account);
  changeExposure(state, account, exposure);
  exposure.claim -= amount;
  changeMarket(state, state.market(exposure.marketId)!).profitPool -= amount;
}

/** Has an account pay its losses, by market, as far as it has money of its own. */
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

/**
 * Has all accounts that the block touched pay their losses. Then those who have not enough, now or since earlier blocks, or gave more to fees
 * than they had, pay with their profit, as far as pools have money for it: by address, as what is taken from a pool is not there for the next one.
 */
export function payAllLosses(state: ClobState): void {
  const { dirtyAccounts, holders } = state;
  const short = new Set(holders.short);
  for (const account of dirtyAccounts) {
    payLosses(state, account);
    if (isShort(account)) short.add(account);
  }
  if (short.size === 0) return;
  const inOrder = [...short].sort((a, b) => compareStrings(a.address, b.address));
  for (const account of inOrder) takeProfit(state, account, 0n);
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
