import { agentMayAct, checkSignerNonce, type VerifiedAction } from '@prime/codec';
import { EngineError } from './errors.ts';
import type { SignerReader } from './ports.ts';

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
