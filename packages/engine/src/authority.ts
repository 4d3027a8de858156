import { agentMayAct, checkSignerNonce, type VerifiedAction } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { EngineError } from './errors.ts';
import type { AccountReader, SignerReader } from './ports.ts';

/**
 * Refuses an action that the order book would refuse for its signer or its nonce, by the state of the newest block. Only a filter:
 * the order book decides again when it executes.
 *
 * @param timeMs time of the newest block
 * @throws EngineError `ENGINE_ACTION_NONCE`, `ENGINE_SIGNER_UNAUTHORIZED`, `ENGINE_ACCOUNT_LOCKED`
 */
export function checkAuthority({ signer, transaction }: VerifiedAction, state: SignerReader, timeMs: number): void {
  const { account, nonce, payload, signatureKind } = transaction;
  if (signatureKind === 'gateway') {
    if (state.isLocked(account))
      throw new EngineError(`owner ${account} is not unlocked on this node`, {
        code: 'ENGINE_ACCOUNT_LOCKED',
        account,
      });
    return;
  }
  const check = checkSignerNonce(state.signerNonces(signer), nonce, timeMs);
  if (check !== 'fresh') throw new EngineError(`nonce ${check}`, { code: 'ENGINE_ACTION_NONCE', nonce, reason: check });
  if (signer !== account && !agentMayAct(state.agent(account, signer), payload, timeMs))
    throw new EngineError(`signer ${signer} may not act for ${account}`, {
      code: 'ENGINE_SIGNER_UNAUTHORIZED',
      signer,
      account,
    });
}

export interface OwnerReaders {
  readonly signers: Pick<SignerReader, 'agent' | 'isKnown'>;
  readonly accounts: AccountReader;
  readonly isValidator: (account: Address) => boolean;
  /** Whether somebody pays the deposits of those who have nothing. */
  readonly hasFaucet: boolean;
}

/**
 * Refuses a signed action of whoever has nothing on this chain: no wei, nothing in the order book, no stake, no account that approved it. Keys
 * are free, and such an action could only leave its nonce and a locked account behind. By the state of the newest block; where genesis has
 * `ownersOnly`, blocks go by the same rule.
 *
 * @throws EngineError `ENGINE_SIGNER_OWNS_NOTHING`
 * @see docs/adr/0135-signers-without-anything.md
 */
export function checkOwner({ signer, transaction }: VerifiedAction, readers: OwnerReaders): void {
  const { account, payload, signatureKind } = transaction;
  const { signers, accounts, isValidator, hasFaucet } = readers;
  if (signatureKind === 'gateway' || (hasFaucet && payload.type === 'deposit')) return;
  const owns =
    signers.isKnown(signer) ||
    accounts.account(signer).balance > 0n ||
    (signer !== account && signers.agent(account, signer) !== null) ||
    isValidator(signer);
  if (owns) return;
  throw new EngineError(`signer ${signer} has nothing on this chain yet: deposit first`, {
    code: 'ENGINE_SIGNER_OWNS_NOTHING',
    signer,
  });
}
