import { type ActionResult, isForSubAccounts, type NativeTransaction, subAccountAddress } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { ensureAccount, setSubAccount } from '../state/changes.ts';
import { refusal } from './errors.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Accounts that an owner has beside his own.
 *
 * An address tells nothing of its owner, so the record of a sub-account names him from the action on that made it. Everything else holds for it as
 * for any account, because it is one: it has orders, positions and margin of its own.
 */

type Refused = Extract<ActionResult, { readonly ok: false }>;

/** Makes the owner's sub-account of a number; wei that came to its address before are its own. The owner signed it. */
export function createSubAccount(state: ClobState, owner: Address, index: number): ActionResult {
  const address = subAccountAddress(owner, index);
  const account = ensureAccount(state, address);
  if (account.subAccount !== null) return refusal.subAccountExists(address, owner, index);
  const { subAccountsMax = 0 } = state.params;
  if ((state.subAccounts.get(owner) ?? 0) >= subAccountsMax) return refusal.tooManySubAccounts(subAccountsMax);
  setSubAccount(state, account, { owner, index });
  state.emit('sub_account_created', { owner, address, sub_account_index: index });
  return { ok: true, value: { type: 'createSubAccount', address, owner, index } };
}

/** Why a sub-account may not do what its owner or his agent signed. @returns null for other accounts, and for what it may do */
export function refusedForSubAccount(
  { account, payload }: Pick<NativeTransaction, 'account' | 'payload'>,
  known: Account | undefined,
): Refused | null {
  const subAccount = known?.subAccount ?? null;
  if (subAccount === null || isForSubAccounts(payload)) return null;
  const { owner } = subAccount;
  const instead =
    payload.type === 'withdraw' ? 'transfer to the owner, who withdraws' : `${payload.type} is for its owner's account`;
  return refusal.subAccount(account, owner, instead);
}
