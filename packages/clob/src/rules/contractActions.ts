import type { ContractAction } from '@prime/codec';
import { runContractPayload } from './actions.ts';
import { concludeContract } from './conclude.ts';
import type { ClobState } from '../state/state.ts';
import { undoTo } from '../state/undo.ts';

/** What contracts asked for, as a block carries it out: deposits, which the others may count on, before the rest. */
export function depositsFirst(actions: readonly ContractAction[]): readonly ContractAction[] {
  const isDeposit = ({ payload }: ContractAction): boolean => payload.type === 'deposit';
  return [...actions.filter(isDeposit), ...actions.filter((action) => !isDeposit(action))];
}

/** Carries one out for the account that called. */
export function runContractAction(state: ClobState, action: ContractAction): void {
  const { ticket, transactionHash, account, payload } = action;
  state.contract = { ticket, transactionHash };
  const mark = state.mark();
  const result = state.log.answer(runContractPayload(state, account, payload));
  if (!result.ok) undoTo(state, mark);
  concludeContract(state, action, result);
  state.contract = null;
}
