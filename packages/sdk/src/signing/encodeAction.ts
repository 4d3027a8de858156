import {
  encodeNativeTransaction,
  nativeTransactionHash,
  type NativeTransaction,
  type UnsignedNativeTransaction,
} from '@prime/codec';
import { isPrimeError } from '@prime/primitives';
import { type Account, bytesToHex } from 'viem';
import type { PrimeClient } from '../client.ts';
import { InvalidActionError } from '../errors/own.ts';
import type { Action } from '../types/action.ts';
import type { Address } from '../types/primitives.ts';
import { toAddress, toPayload } from './payload.ts';
import type { SignatureKind, SignedAction } from './signedAction.ts';
import { signWith } from './signer.ts';

/** Everything that a signature covers. */
export interface ActionToSign<action extends Action = Action> {
  readonly action: action;
  readonly owner: Address;
  readonly chainId: number;
  readonly nonce: number;
  readonly expiresAtMs: number;
  readonly signatureKind: SignatureKind;
}

/** Time in milliseconds, of March 1973: what is below it can only be seconds. */
const earliestMs = 100_000_000_000;

/** Codec errors name the field; here they are the caller's mistake. */
function asInvalidAction(thrown: unknown): unknown {
  if (!isPrimeError(thrown) || !thrown.code.startsWith('CODEC_')) return thrown;
  const { field = 'action' } = thrown.detail as { readonly field?: string };
  return new InvalidActionError(field, `is not what can be signed: ${thrown.message}`, thrown);
}

/**
 * Encodes and signs an action: `0x50 | rlp([chainId, nonce, expiresAt, account, actionType, fields, sigKind, yParity, r, s])`.
 *
 * @throws InvalidActionError, BatchSizeError; whatever the account throws
 * @see docs/protocol/native-transactions.md
 */
export async function encodeAction<const action extends Action>(
  client: PrimeClient,
  account: Account,
  request: ActionToSign<action>,
): Promise<SignedAction<action>> {
  const { action, owner, chainId, nonce, expiresAtMs, signatureKind } = request;
  if (expiresAtMs !== 0 && expiresAtMs <= earliestMs)
    throw new InvalidActionError('expiresAtMs', `is in milliseconds, and ${expiresAtMs} is a time in seconds`);
  const unsigned: UnsignedNativeTransaction = {
    chainId,
    nonce,
    expiresAt: expiresAtMs,
    account: toAddress(owner, 'owner'),
    payload: toPayload(action),
    signatureKind,
  };
  try {
    const signed: NativeTransaction = { ...unsigned, signature: await signWith(client, account, unsigned) };
    const bytes = encodeNativeTransaction(signed);
    return {
      action,
      owner,
      nonce,
      expiresAtMs,
      raw: bytesToHex(bytes),
      hash: nativeTransactionHash(bytes) as SignedAction['hash'],
    };
  } catch (thrown) {
    throw asInvalidAction(thrown);
  }
}
