import type { ActionPayload } from '@prime/codec';
import type { Address, Hex } from '@prime/primitives';
import type { Account } from './keyring.ts';
import type { Operation, OperationKind } from './operation.ts';

/** What is to be sent, before anybody signs it. */
export type Draft = ActionDraft | TransactionDraft | ReadDraft;

/** An action of the order book. */
export interface ActionDraft {
  readonly as: 'action';
  readonly kind: OperationKind;
  readonly signer: Account;
  /** For whom; another one than the signer where that is an agent. */
  readonly account: Address;
  readonly payload: ActionPayload;
}

/** A transaction of the EVM. */
export interface TransactionDraft {
  readonly as: 'transaction';
  readonly kind: OperationKind;
  /** Index of the account. */
  readonly from: number;
  /** null creates a contract. */
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Hex | Uint8Array;
  readonly gas: bigint;
}

/** A question. */
export interface ReadDraft extends Pick<Operation, 'kind' | 'method' | 'params'> {
  readonly as: 'read';
}

/** An action that an account signs for itself. */
export const ownAction = (kind: OperationKind, signer: Account, payload: ActionPayload): ActionDraft => ({
  as: 'action',
  kind,
  signer,
  account: signer.address,
  payload,
});

/** A call that changes nothing; its kind is its method. */
export const readDraft = (method: string, params: readonly unknown[]): ReadDraft => ({
  as: 'read',
  kind: method,
  method,
  params: JSON.stringify(params),
});
