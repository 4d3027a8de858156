import { publicKeyToAddress } from '@prime/crypto';
import type { Address } from '@prime/primitives';

/** By the array, not its bytes: states share the keys of validators that did not change, and none of them is ever written to. */
const known = new WeakMap<Uint8Array, Address>();

/**
 * Signer address of a validator's public key. Taking it from a compressed key costs half a millisecond; a block that tells of every
 * registered validator asks for all of them again.
 *
 * @param publicKey 33 bytes, never changed afterwards
 * @throws CryptoError `CRYPTO_PUBLIC_KEY_INVALID`
 */
export function signerAddress(publicKey: Uint8Array): Address {
  let address = known.get(publicKey);
  if (address === undefined) {
    address = publicKeyToAddress(publicKey);
    known.set(publicKey, address);
  }
  return address;
}
