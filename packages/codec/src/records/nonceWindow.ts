import type { Address } from '@prime/primitives';
import { type NonceRecord, nonceWindowSize } from './clobRecords.ts';

/** `too_old`: {@link nonceWindowSize} or more below the newest, where nobody knows whether it was used. */
export type NonceCheck = 'fresh' | 'used' | 'too_old';

const bitMask = (nonce: number): number => 1 << (nonce % 8);
const byteIndex = (nonce: number): number => Math.floor(nonce / 8) % (nonceWindowSize / 8);

/** Whether a signer may use a nonce; a signer without a record has used none. */
export function checkNonce(record: NonceRecord | null, nonce: number): NonceCheck {
  if (record === null || nonce > record.newest) return 'fresh';
  if (record.newest - nonce >= nonceWindowSize) return 'too_old';
  return (record.used[byteIndex(nonce)]! & bitMask(nonce)) === 0 ? 'fresh' : 'used';
}

/** The record after a fresh nonce was used; the given record is left as it is. */
export function useNonce(record: NonceRecord | null, signer: Address, nonce: number): NonceRecord {
  const advance = record === null ? nonceWindowSize : nonce - record.newest;
  const used = new Uint8Array(nonceWindowSize / 8);
  if (record !== null && advance < nonceWindowSize) {
    used.set(record.used);
    // The ring's places between the old and the new newest belonged to numbers that are now too old.
    for (let passed = nonce - advance + 1; passed < nonce; passed++) used[byteIndex(passed)]! &= ~bitMask(passed);
  }
  used[byteIndex(nonce)]! |= bitMask(nonce);
  return { signer, newest: Math.max(nonce, record?.newest ?? 0), used };
}

/** {@link useNonce} in a record that nobody else holds: the next in sequence changes it in place, any other makes a new one. */
export function useNonceOf(own: NonceRecord, nonce: number): NonceRecord {
  if (nonce !== own.newest + 1) return useNonce(own, own.signer, nonce);
  own.used[byteIndex(nonce)]! |= bitMask(nonce);
  (own as { newest: number }).newest = nonce;
  return own;
}
