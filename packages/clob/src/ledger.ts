import { assert } from '@prime/primitives';
import type { Account } from './accounts.ts';
import { fundingPoolOf } from './funding.ts';
import type { ClobState } from './state.ts';

/**
 * Conservation, checked by the node after every block: what accounts, insurance fund and queues hold is what came in and did not
 * go out. Each account's worth is compared with what it was worth at the last commit, so the check costs what the block
 * touched. It adds up positions and collateral themselves and shares no code with what changed them.
 */

/** Collateral and what was paid for positions, wei; profits and losses are in the other side's worth. */
function worthOf({ collateral, exposures }: Account): bigint {
  let worth = collateral;
  let exact = 0;
  for (const exposure of exposures) {
    const { lots, exactEntry } = exposure;
    if (exposure.big === null && exposure.bigEntry === null) {
      const sum = lots < 0 ? exact + exactEntry : exact - exactEntry;
      if (Number.isSafeInteger(sum)) {
        exact = sum;
        continue;
      }
    }
    worth += exposure.size < 0n ? exposure.entry : -exposure.entry;
  }
  return worth + BigInt(exact);
}

/** Wei that must be in escrow for the order book: all that came in and did not go out. */
export const escrowOf = ({ globals }: ClobState): bigint => globals.totalDeposits - globals.totalWithdrawals;

/** @throws InvariantError when the open block made or lost money */
export function checkConservation(state: ClobState): void {
  let held = state.worth + state.globals.insurance + state.transfers.total + fundingPoolOf(state);
  for (const account of state.dirtyAccounts) held += worthOf(account) - account.counted;
  const escrow = escrowOf(state);
  assert(held === escrow, `the order book holds ${held} wei, ${escrow} came in and did not go out`);
  assert(state.globals.insurance >= 0n, `the insurance fund is ${state.globals.insurance}`);
  assert(escrow >= state.transfers.total, `${state.transfers.total} wei are queued, ${escrow} are in escrow`);
}

/** Takes the worth of the accounts that changed as what later blocks compare with. */
export function countWorth(state: ClobState, accounts: Iterable<Account>): void {
  for (const account of accounts) {
    const worth = worthOf(account);
    state.worth += worth - account.counted;
    account.counted = worth;
  }
}
