import { keccak256 } from '@prime/crypto';
import type { Clock, HotKey, MessageSigner } from '../ports.ts';

/** A process that signs for a node. */
export interface SimulatedSigner {
  /** Whether the node ever reached it; what it is asked while it is away is lost. */
  isReady: boolean;
  /** From a request to its answer. */
  delayMs: number;
  /** Requests, so far. */
  asked: number;
}

/** A key in the node itself, or in a signer beside it. */
export function simulatedKey(key: MessageSigner, signer: SimulatedSigner | undefined, clock: Clock): HotKey {
  if (signer === undefined) return key;
  return {
    address: key.address,
    isReady: () => signer.isReady,
    request: (request, isWanted, deliver) => {
      clock.after(signer.delayMs, () => {
        signer.asked += 1;
        if (signer.isReady && isWanted()) deliver(key.sign(keccak256(request.signBytes)));
      });
    },
    signAction: () => Promise.reject(new Error('no calls here')),
  };
}
