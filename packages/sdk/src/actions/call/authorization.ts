import type { Address, Hex } from '../../types/primitives.ts';

/** The EIP-712 signature of an action, for a call that says what the action does. */
export interface CallAuthorization {
  /** ms, unique for the key. */
  readonly nonce: number;
  /** 65 bytes r, s and v (0, 1, 27 or 28). */
  readonly signature: Hex;
  /** ms; default 0: never. */
  readonly expiresAtMs?: number | undefined;
  /** For whom it is, in calls that do not say. */
  readonly account?: Address | undefined;
}

/**
 * What every call that changes state can be told. Without an authorization the call counts where the network takes accounts at their word
 * (genesis `actions: "open"`, as the local network does) and the account never signed anything, or where the node holds its key.
 */
export interface CallOptions {
  readonly authorization?: CallAuthorization | undefined;
}

interface WireAuthorization {
  readonly nonce: number;
  readonly signature: Hex;
  readonly expires_at?: number;
  readonly account?: Address;
}

/** An authorization as calls take it; null where there is none, and the node judges by its own rules. */
export function encodeAuthorization(authorization: CallAuthorization | undefined): WireAuthorization | null {
  if (authorization === undefined) return null;
  const { nonce, signature, expiresAtMs, account } = authorization;
  return {
    nonce,
    signature,
    ...(expiresAtMs === undefined ? {} : { expires_at: expiresAtMs }),
    ...(account === undefined ? {} : { account }),
  };
}
