import { bigintMin } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { changeAccount, changeGlobals, changeMarket } from '../state/changes.ts';
import type { Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/** The insurance fund, and whom it pays for. */

/**
 * Whether the fund answers for a market: where a network has prices from outside, only for those that go by them. The price of any other is made by
 * whoever trades there, and two accounts of one owner could lose the fund to each other.
 */
const isInsured = ({ params }: ClobState, { oracle }: Market): boolean =>
  params.oracle === undefined || oracle !== undefined;

/** What the fund can pay for an account, wei: nothing for one that holds or owes something in a market for which it does not answer. */
export function fundFor(state: ClobState, { exposures }: Account): bigint {
  const isOut = exposures.some(
    ({ marketId, size, owes }) => (size !== 0n || owes) && !isInsured(state, state.market(marketId)!),
  );
  return isOut ? 0n : state.globals.insurance;
}

/** The fund pays what an account is short of. @returns what it had of it, wei */
export function payFromFund(state: ClobState, account: Account, loss: bigint): bigint {
  const paid = bigintMin(loss, fundFor(state, account));
  if (paid === 0n) return 0n;
  changeAccount(state, account).collateral += paid;
  changeGlobals(state).insurance -= paid;
  state.emit('debt_covered', { address: account.address, amount: paid });
  state.emit('insurance_changed', { amount: -paid, balance: state.globals.insurance });
  return paid;
}

/** Has the fund repay debts with what it has, by market. While there is one that it answers for, all that it ever gets goes there. */
export function repayDebts(state: ClobState): void {
  if (state.globals.insurance === 0n) return;
  for (const market of state.markets) {
    if (market.debt === 0n || !isInsured(state, market)) continue;
    const amount = bigintMin(market.debt, state.globals.insurance);
    if (amount === 0n) return;
    changeMarket(state, market);
    market.debt -= amount;
    market.profitPool += amount;
    changeGlobals(state).insurance -= amount;
    state.emit('debt_repaid', { market_id: market.id, amount, debt: market.debt });
    state.emit('insurance_changed', { amount: -amount, balance: state.globals.insurance });
  }
}
