import type { ActionResult, VerifiedAction } from '@prime/codec';
import type { ModelAction } from '@prime/model';

/**
 * What the order book is told about an action by the rest of the chain, and can not know itself: whether there are wei for what it brings in, and whether its
 * signer holds something outside of the book.
 */
export interface OutsideFacts {
  readonly funded: boolean;
  readonly outsider: boolean;
}

/**
 * Takes these facts from the answer itself: a refusal for lack of wei is believed here. Whether the wei were there is for the ledger to say
 * ({@link EvmLedger}), as far as the account is among those that it follows.
 */
export function factsAsAnswered({ transaction }: VerifiedAction, result: ActionResult | undefined): OutsideFacts {
  const code = result?.ok === false ? result.error.code : null;
  const outsider = code === 'CLOB_OWNS_NOTHING';
  const brings = transaction.payload.type === 'deposit' || transaction.payload.type === 'enqueueEvmToOrders';
  return { outsider, funded: !brings || (code !== 'CLOB_INSUFFICIENT_FUNDS' && !outsider) };
}

/** An action as the model takes it. */
export function modelAction({ signer, transaction }: VerifiedAction, facts: OutsideFacts): ModelAction {
  const { account, payload, signatureKind, nonce, expiresAt } = transaction;
  return {
    account,
    payload,
    signer,
    nonce,
    expiresAt,
    signatureKind: signatureKind === 'eip712' ? 'raw' : signatureKind,
    ...facts,
  };
}
