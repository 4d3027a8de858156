import { ownerOf } from '../../accounts/agentAccount.ts';
import { sharedNonceManager } from '../../accounts/nonceManager.ts';
import type { PrimeClient } from '../../client.ts';
import { encodeAction } from '../../signing/encodeAction.ts';
import { checkAction } from '../../signing/checkAction.ts';
import type { SignedAction } from '../../signing/signedAction.ts';
import { signatureKindOf } from '../../signing/signer.ts';
import type { Action } from '../../types/action.ts';
import { chainIdOf, signerOf, type SigningOptions } from './options.ts';

/** An action, who signs it, and until when it counts. Nothing is sent. */
export interface SignActionParameters<action extends Action = Action> extends SigningOptions {
  readonly action: action;
  /**
   * ms, unique for the key. Default: the next of the nonce manager, which is given back at once: whoever signs ahead sees to it that at
   * most 64 actions of a key are on their way.
   */
  readonly nonce?: number | undefined;
}
/** Bytes to send, with their hash. */
export type SignActionReturnType<action extends Action = Action> = SignedAction<action>;

/**
 * Signs an action without sending it: `sendAction` does, now or later, once or again.
 *
 * @throws InvalidActionError, BatchSizeError, AccountMissingError; whatever the account throws
 */
export async function signAction<const action extends Action>(
  client: PrimeClient,
  parameters: SignActionParameters<action>,
): Promise<SignActionReturnType<action>> {
  const { nonce: given } = parameters;
  if (given !== undefined) return signWithNonce(client, parameters, given);
  const { nonce, release } = await nonceManagerOf(client, parameters).then((manager) => manager.take());
  release();
  return signWithNonce(client, parameters, nonce);
}

/** The manager of the key that signs. */
export async function nonceManagerOf(client: PrimeClient, options: SigningOptions) {
  const { nonceManager } = options;
  return nonceManager ?? sharedNonceManager(await chainIdOf(client), signerOf(client, options.account).address);
}

/**
 * Signs with a nonce that the caller chose. Nothing is sent.
 *
 * @param nonce ms, unique for the key
 * @throws InvalidActionError, BatchSizeError, AccountMissingError; whatever the account throws
 */
export async function signWithNonce<const action extends Action>(
  client: PrimeClient,
  { action, account, owner, expiresAtMs = 0, signatureKind }: SignActionParameters<action>,
  nonce: number,
): Promise<SignedAction<action>> {
  checkAction(action);
  const signer = signerOf(client, account);
  return encodeAction(client, signer, {
    action,
    owner: owner ?? ownerOf(signer),
    chainId: await chainIdOf(client),
    nonce,
    expiresAtMs,
    signatureKind: signatureKind ?? signatureKindOf(signer),
  });
}
