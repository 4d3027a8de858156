import { assert } from '@prime/primitives';
import type { CryptoProvider } from './provider.ts';
import { checkDigest, checkPrivateKey, isCanonicalSignature, isPublicKeyShape } from './scalar.ts';

/**
 * libsecp256k1 through a prebuilt addon. Only the package's `bindings.js` is loaded: its index falls back to a slow
 * JavaScript curve without saying so.
 *
 * @throws whatever loading the addon throws, where no prebuilt binary fits
 */
export async function createNativeProvider(): Promise<CryptoProvider> {
  const { default: addon } = await import('secp256k1/bindings.js');
  return {
    name: 'native',
    sign(digest, privateKey) {
      checkDigest(digest);
      checkPrivateKey(privateKey);
      const { signature, recid } = addon.ecdsaSign(digest, privateKey);
      return joinSignature(signature, recid);
    },
    recover(digest, signature) {
      checkDigest(digest);
      if (!isCanonicalSignature(signature)) return null;
      try {
        return addon.ecdsaRecover(signature.subarray(0, 64), signature[64]!, digest, false);
      } catch {
        // The addon throws when r is not the x of a point or the result is the point at infinity.
        return null;
      }
    },
    verify(digest, signature, publicKey) {
      checkDigest(digest);
      if (!isCanonicalSignature(signature) || !isPublicKeyShape(publicKey)) return false;
      try {
        return addon.ecdsaVerify(signature.subarray(0, 64), digest, publicKey);
      } catch {
        // The addon throws on a public key that is not on the curve.
        return false;
      }
    },
    publicKey(privateKey) {
      checkPrivateKey(privateKey);
      return addon.publicKeyCreate(privateKey, true);
    },
  };
}

/** r | s and a recovery id as r | s | yParity. */
export function joinSignature(compact: Uint8Array, recoveryId: number): Uint8Array {
  // Ids 2 and 3 mean that r overflowed the order; nobody has ever found such a signature.
  assert(recoveryId === 0 || recoveryId === 1, `recovery id ${recoveryId}`);
  const signature = new Uint8Array(65);
  signature.set(compact);
  signature[64] = recoveryId;
  return signature;
}
