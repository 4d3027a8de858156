import type { ActionPayload, ContractAction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { refusedCancel } from './fields.ts';
import { type ModelOrder, ordersThat, type RulesHost } from './state.ts';

/** What writes of contracts need of the model's other rules. */
interface WriteHost extends RulesHost {
  cancel(order: ModelOrder, reason: string): unknown;
}

/** Deposits, which others may count on, before the rest. */
export const depositsFirst = (writes: readonly ContractAction[]): readonly ContractAction[] => [
  ...writes.filter(({ payload }) => payload.type === 'deposit'),
  ...writes.filter(({ payload }) => payload.type !== 'deposit'),
];

/** What a contract asked for: two things that nobody else can ask for so, or an action. */
export function runWrite(
  host: WriteHost,
  { account, payload }: ContractAction,
  run: (account: Address, payload: ActionPayload) => unknown,
): unknown {
  if (payload.type === 'deposit') {
    host.undo.add(host.state, 'escrow', payload.amount);
    host.undo.add(host.account(payload.to), 'collateral', payload.amount);
    return { type: 'deposit' };
  }
  if (payload.type !== 'cancelByClientId') return run(account, payload);
  const [order] = ordersThat(
    host.state,
    ({ owner, fields }) => owner === account && fields.clientId === payload.clientId,
  );
  if (order === undefined) return 'CLOB_UNKNOWN_CLIENT_ID';
  return refusedCancel(host.state, order.market) ?? host.cancel(order, 'user');
}
