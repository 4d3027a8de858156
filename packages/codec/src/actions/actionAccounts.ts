import type { Address } from '@prime/primitives';
import type { ActionPayload, VerifiedAction } from './actionTypes.ts';

/**
 * Accounts that an action concerns, each once: whose it is, whom it names, and the agent that signed it. A gateway's key is none: it vouches for
 * whoever asks.
 */
export function accountsOfAction({ transaction, signer }: Pick<VerifiedAction, 'transaction' | 'signer'>): Address[] {
  const { account, payload, signatureKind } = transaction;
  const named = accountsNamedBy(payload);
  return [...new Set(signatureKind === 'gateway' ? [account, ...named] : [account, ...named, signer])];
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
