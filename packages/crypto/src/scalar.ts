import { hexToBytes } from '@prime/primitives';
import { CryptoError } from './errors.ts';

/**
 * Checks on the bytes of keys and signatures that all providers share. They are made here and not left to the libraries,
 * because the libraries differ: one accepts high s, one throws where another answers false.
 */
const curveOrder = hexToBytes('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');
const halfCurveOrder = hexToBytes('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0');

/** Order of the 32 bytes at offset and the limit: negative, 0, positive. */
function compareScalar(bytes: Uint8Array, offset: number, limit: Uint8Array): number {
  for (let index = 0; index < 32; index++) {
    const difference = bytes[offset + index]! - limit[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

function isZeroScalar(bytes: Uint8Array, offset: number): boolean {
  for (let index = offset; index < offset + 32; index++) if (bytes[index] !== 0) return false;
  return true;
}

/** Whether 32 bytes are a usable private key: not zero, below the order of the curve. */
export const isValidPrivateKey = (privateKey: Uint8Array): boolean =>
  privateKey.length === 32 && !isZeroScalar(privateKey, 0) && compareScalar(privateKey, 0, curveOrder) < 0;

/** Whether 65 bytes are r | s | yParity with 0 < r < n, 0 < s <= n/2 and yParity 0 or 1. */
export const isCanonicalSignature = (signature: Uint8Array): boolean =>
  signature.length === 65 &&
  signature[64]! <= 1 &&
  compareScalar(signature, 0, curveOrder) < 0 &&
  compareScalar(signature, 32, halfCurveOrder) <= 0 &&
  !isZeroScalar(signature, 0) &&
  !isZeroScalar(signature, 32);

/** @throws CryptoError `CRYPTO_DIGEST_LENGTH` */
export function checkDigest(digest: Uint8Array): void {
  if (digest.length !== 32)
    throw new CryptoError(`expected a digest of 32 bytes, got ${digest.length}`, {
      code: 'CRYPTO_DIGEST_LENGTH',
      length: digest.length,
    });
}

/** @throws CryptoError `CRYPTO_PRIVATE_KEY_INVALID`; the key is not in the message */
export function checkPrivateKey(privateKey: Uint8Array): void {
  if (!isValidPrivateKey(privateKey))
    throw new CryptoError('private key is not 32 bytes between 1 and the order of secp256k1', {
      code: 'CRYPTO_PRIVATE_KEY_INVALID',
    });
}

/**
 * Whether length and first byte fit SEC 1, section 2.3.3: 33 bytes compressed, 65 uncompressed. The point itself is
 * not checked.
 */
export const isPublicKeyShape = (publicKey: Uint8Array): boolean =>
  publicKey.length === 33 ? publicKey[0] === 2 || publicKey[0] === 3 : publicKey.length === 65 && publicKey[0] === 4;
