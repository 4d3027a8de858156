import type { Address } from '@prime/primitives';
import type { ActionPayload } from './actionPayload.ts';
import type { ActionFacts, VerifiedAction } from './actionTypes.ts';

/** What there is to know of an action without carrying it out. */
export const factsOf = (payload: ActionPayload): ActionFacts => ({
  type: payload.type,
  debit: debitOf(payload),
  names: accountsNamedBy(payload),
  lowersRisk: lowersRisk(payload),
});

/**
 * Accounts that an action concerns, each once: whose it is, whom it names, and the agent that signed it. A gateway's key is none: it vouches for
 * whoever asks.
 */
export function accountsOfAction({
  transaction: { account, signatureKind },
  signer,
  facts: { names },
}: Pick<VerifiedAction, 'transaction' | 'signer' | 'facts'>): Address[] {
  return [...new Set(signatureKind === 'gateway' ? [account, ...names] : [account, ...names, signer])];
}

/** Accounts that what an action does names: who is paid, liquidated, or may act. */
export function accountsNamedBy(payload: ActionPayload): Address[] {
  switch (payload.type) {
    case 'batch':
      return payload.items.flatMap(accountsNamedBy);
    case 'withdraw':
    case 'transfer':
    case 'enqueueEvmToOrders':
      return [payload.to];
    case 'liquidate':
      return [payload.address];
    case 'approveAgent':
    case 'revokeAgent':
      return [payload.agent];
    default:
      return [];
  }
}

function debitOf(payload: ActionPayload): bigint {
  switch (payload.type) {
    case 'deposit':
    case 'enqueueEvmToOrders':
    case 'validatorBond':
      return payload.amount;
    case 'validatorJoin':
      return payload.stake;
    default:
      return 0n;
  }
}

/** What the actions of a block take from each account's EVM balance, see {@link ActionFacts.debit}; accounts without are left out. Wei */
export function debitsByAccount(actions: readonly VerifiedAction[]): Map<Address, bigint> {
  const debits = new Map<Address, bigint>();
  for (const { facts, transaction } of actions)
    if (facts.debit > 0n) debits.set(transaction.account, (debits.get(transaction.account) ?? 0n) + facts.debit);
  return debits;
}

/** Whether an action can only end orders, or make positions smaller. */
function lowersRisk(payload: ActionPayload): boolean {
  switch (payload.type) {
    case 'cancel':
    case 'cancelByClientId':
    case 'cancelAll':
    case 'scheduleCancel':
      return true;
    case 'order':
      return payload.reduceOnly;
    case 'trigger':
      return payload.reduceOnly || payload.position;
    case 'batch':
      return payload.items.every(lowersRisk);
    default:
      return false;
  }
}
