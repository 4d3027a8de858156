import { assert } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { fundingPoolOf } from './funding.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Conservation, checked by the node after every block: what accounts, insurance fund and queues hold is what came in and did not
 * go out. Each account's worth is compared with what it was worth at the last commit, so the check costs what the block
 * touched. It adds up positions and collateral themselves and shares no code with what changed them.
 */

/** What was paid for an account's positions, wei, those of shorts counted positive; with its collateral it is what the account is worth. */
function openedOf({ exposures }: Account): number | bigint {
  let exact = 0;
  let opened = 0n;
  for (const exposure of exposures) {
    const { lots, exactEntry } = exposure;
    if (exposure.big === null && exposure.bigEntry === null) {
      const sum = lots < 0 ? exact + exactEntry : exact - exactEntry;
      if (Number.isSafeInteger(sum)) {
        exact = sum;
        continue;
      }
    }
    opened += exposure.size < 0n ? exposure.entry : -exposure.entry;
  }
  return opened === 0n ? exact : opened + BigInt(exact);
}

/** Wei that must be in escrow for the order book: all that came in and did not go out. */
export const escrowOf = ({ globals }: ClobState): bigint => globals.totalDeposits - globals.totalWithdrawals;

/** What markets owe, wei: accounts hold as much more than came in. */
function debtsOf({ markets }: ClobState): bigint {
  let debts = 0n;
  for (const { debt } of markets) if (debt !== 0n) debts += debt;
  return debts;
}

/** @throws InvariantError when the open block made or lost money */
export function checkConservation(state: ClobState): void {
  let change = 0n;
  let exact = 0;
  for (const account of state.dirtyAccounts) {
    const { collateral, counted } = account;
    account.opened = openedOf(account);
    if (collateral !== counted.collateral) change += collateral - counted.collateral;
    // Numbers as long as all of it is exact: most blocks make next to no bigints here.
    if (typeof account.opened === 'number' && typeof counted.opened === 'number') {
      const opened = account.opened - counted.opened;
      if (Number.isSafeInteger(opened) && Number.isSafeInteger(exact + opened)) {
        exact += opened;
        continue;
      }
    }
    change += BigInt(account.opened) - BigInt(counted.opened);
  }
  state.worthChange = change + BigInt(exact);
  const { insurance } = state.globals;
  const debts = debtsOf(state);
  const held = state.worth + state.worthChange + insurance + state.transfers.total + fundingPoolOf(state) - debts;
  const escrow = escrowOf(state);
  assert(held === escrow, `the order book holds ${held} wei, ${escrow} came in and did not go out`);
  assert(insurance >= 0n, `the insurance fund is ${insurance}`);
  assert(escrow >= state.transfers.total, `${state.transfers.total} wei are queued, ${escrow} are in escrow`);
}

/** Takes what {@link checkConservation} found as what later blocks compare with. */
export function keepWorth(state: ClobState): void {
  state.worth += state.worthChange;
  for (const { counted, collateral, opened } of state.dirtyAccounts) {
    counted.collateral = collateral;
    counted.opened = opened;
  }
}

/** Takes what accounts are worth now as what later blocks compare with. */
export function countWorth(state: ClobState, accounts: Iterable<Account>): void {
  for (const account of accounts) {
    const { counted, collateral } = account;
    account.opened = openedOf(account);
    state.worth += collateral - counted.collateral + BigInt(account.opened) - BigInt(counted.opened);
    counted.collateral = collateral;
    counted.opened = account.opened;
  }
}
