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
