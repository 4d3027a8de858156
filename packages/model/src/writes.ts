import type { ActionPayload, ContractAction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { refusedCancel } from './fields.ts';
import { ordersThat } from './state.ts';
import { endTrigger, type TriggerHost, triggersOf } from './triggers.ts';

/** Deposits, which others may count on, before the rest. */
export const depositsFirst = (writes: readonly ContractAction[]): readonly ContractAction[] => [
  ...writes.filter(({ payload }) => payload.type === 'deposit'),
  ...writes.filter(({ payload }) => payload.type !== 'deposit'),
];

/** What a contract asked for: two things that nobody else can ask for so, or an action. */
export function runWrite(
  host: TriggerHost,
  { account, payload }: ContractAction,
  run: (account: Address, payload: ActionPayload) => unknown,
): unknown {
  if (payload.type === 'deposit') {
    host.undo.add(host.state, 'escrow', payload.amount);
    host.undo.add(host.account(payload.to), 'collateral', payload.amount);
    return { type: 'deposit' };
  }
  if (payload.type !== 'cancelByClientId') return run(account, payload);
  const { clientId } = payload;
  const [order] = ordersThat(host.state, ({ owner, fields }) => owner === account && fields.clientId === clientId);
  if (order !== undefined) return refusedCancel(host.state, order.market) ?? host.cancel(order, 'user');
  const trigger = triggersOf(host.state, account, null).find(({ fields }) => fields.clientId === clientId);
  return trigger === undefined
    ? 'CLOB_UNKNOWN_CLIENT_ID'
    : (refusedCancel(host.state, trigger.fields.marketId) ?? endTrigger(host, trigger, 'user'));
}
