import type { ContractAction } from '@prime/codec';
import { runContractPayload } from './actions.ts';
import type { ClobState } from './state.ts';

/** What contracts asked for, as a block carries it out: deposits, which the others may count on, before the rest. */
export function depositsFirst(actions: readonly ContractAction[]): readonly ContractAction[] {
  const isDeposit = ({ payload }: ContractAction): boolean => payload.type === 'deposit';
  return [...actions.filter(isDeposit), ...actions.filter((action) => !isDeposit(action))];
}

/** Carries one out for the account that called; nobody can be told of a refusal, so it is an event and remembered. */
export function runContractAction(state: ClobState, action: ContractAction): void {
  const { ticket, transactionHash, account, payload } = action;
  state.contract = { ticket, transactionHash };
  const mark = state.mark();
  const result = runContractPayload(state, account, payload);
  if (!result.ok) {
    state.undoTo(mark);
    state.emit('action_rejected', { account, hash: null, ticket, reason: String(result.error.data['kind']) });
    if (payload.type === 'order' && payload.clientId !== null)
      state.refused.note({ ticket, owner: account, clientId: payload.clientId });
  } else if (actsForItself({ account, payload }) && state.accountOf.get(account)?.locked !== true) {
    // Who acts by his own transactions is never again taken at an unsigned word.
    state.changeAccount(state.account(account)).locked = true;
  }
  state.contract = null;
}

/** A gift to somebody else says nothing about the giver's account. */
const actsForItself = ({ account, payload }: Pick<ContractAction, 'account' | 'payload'>): boolean =>
  payload.type !== 'deposit' || payload.to === account;
