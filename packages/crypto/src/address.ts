import { Point } from '@noble/secp256k1';
import { type Address, bytesToAddress, bytesToHex } from '@prime/primitives';
import { CryptoError } from './errors.ts';
import { keccak256 } from './keccak.ts';
import type { CryptoProvider } from './provider.ts';
import { isPublicKeyShape } from './scalar.ts';

/**
 * Ethereum address of a public key: the last 20 bytes of the hash of its coordinates. A compressed key costs a square root
 * (~0.5 ms), an uncompressed one is hashed as it is.
 *
 * @param publicKey 33 bytes, or 65 bytes that a provider made (not checked to be on the curve)
 * @throws CryptoError `CRYPTO_PUBLIC_KEY_INVALID`
 */
export function publicKeyToAddress(publicKey: Uint8Array): Address {
  const point = isPublicKeyShape(publicKey) ? (publicKey.length === 65 ? publicKey : decompress(publicKey)) : null;
  if (point === null) {
    const shown = bytesToHex(publicKey.subarray(0, 65));
    throw new CryptoError(`not a public key: ${shown}`, { code: 'CRYPTO_PUBLIC_KEY_INVALID', publicKey: shown });
  }
  return bytesToAddress(keccak256(point.subarray(1)).subarray(12));
}

function decompress(publicKey: Uint8Array): Uint8Array | null {
  try {
    return Point.fromBytes(publicKey).toBytes(false);
  } catch {
    return null;
  }
}

/**
 * Who signed: address of the recovered key, or null where {@link CryptoProvider.recover} is.
 *
 * @throws CryptoError `CRYPTO_DIGEST_LENGTH`
 */
export function recoverAddress(provider: CryptoProvider, digest: Uint8Array, signature: Uint8Array): Address | null {
  const publicKey = provider.recover(digest, signature);
  return publicKey === null ? null : publicKeyToAddress(publicKey);
}
