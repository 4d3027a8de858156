import type { Address, Hash, Hex } from '../types/primitives.ts';
import type { Action } from '../types/action.ts';

/** An action with its signature: bytes that can be sent, and sent again. */
export interface SignedAction<action extends Action = Action> {
  readonly action: action;
  /** For whom it is. */
  readonly owner: Address;
  /** ms; unique for the signing key. */
  readonly nonce: number;
  /** Block time after which it is not carried out, ms; 0 is never. */
  readonly expiresAtMs: number;
  readonly raw: Hex;
  /** keccak256 of the bytes. */
  readonly hash: Hash;
}

/** What is signed: `raw` is the hash of the bytes, `eip712` typed data that a wallet shows field by field. */
export type SignatureKind = 'raw' | 'eip712';

/** Signs 32 bytes: 65 bytes r, s and yParity (0, 1, 27 or 28), low s. */
export type SignDigest = (digest: Uint8Array) => Uint8Array | Promise<Uint8Array>;
