import { assert } from '@prime/primitives';
import type { CryptoProvider } from './provider.ts';
import { checkDigest, checkPrivateKey, isCanonicalSignature, isPublicKeyShape } from './scalar.ts';

/** What a library computes of inputs that were checked before. `compact` is r | s, 64 bytes. */
interface Curve {
  sign(digest: Uint8Array, privateKey: Uint8Array): Uint8Array;
  /** May throw where r is not the x of a point or the result is the point at infinity. */
  recover(compact: Uint8Array, yParity: number, digest: Uint8Array): Uint8Array | null;
  /** May throw on a public key that is not on the curve. */
  verify(compact: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean;
  publicKey(privateKey: Uint8Array): Uint8Array;
}

const compactOf = (signature: Uint8Array): Uint8Array => signature.subarray(0, 64);

/** A provider that refuses and answers as {@link CryptoProvider} says, whatever its library does with malformed input. */
export const checkedProvider = (name: CryptoProvider['name'], curve: Curve): CryptoProvider => ({
  name,
  sign(digest, privateKey) {
    checkDigest(digest);
    checkPrivateKey(privateKey);
    return curve.sign(digest, privateKey);
  },
  recover(digest, signature) {
    checkDigest(digest);
    if (!isCanonicalSignature(signature)) return null;
    try {
      return curve.recover(compactOf(signature), signature[64]!, digest);
    } catch {
      return null;
    }
  },
  verify(digest, signature, publicKey) {
    checkDigest(digest);
    if (!isCanonicalSignature(signature) || !isPublicKeyShape(publicKey)) return false;
    try {
      return curve.verify(compactOf(signature), digest, publicKey);
    } catch {
      return false;
    }
  },
  publicKey(privateKey) {
    checkPrivateKey(privateKey);
    return curve.publicKey(privateKey);
  },
});

/** r | s and a recovery id as r | s | yParity. */
export function joinSignature(compact: Uint8Array, recoveryId: number): Uint8Array {
  // Ids 2 and 3 mean that r overflowed the order; nobody has ever found such a signature.
  assert(recoveryId === 0 || recoveryId === 1, `recovery id ${recoveryId}`);
  const signature = new Uint8Array(65);
  signature.set(compact);
  signature[64] = recoveryId;
  return signature;
}
