import { assert } from '@prime/primitives';
import { joinSignature } from './nativeProvider.ts';
import type { CryptoProvider } from './provider.ts';
import { checkDigest, checkPrivateKey, isCanonicalSignature, isPublicKeyShape } from './scalar.ts';

/**
 * libsecp256k1 compiled to WebAssembly, around five times slower than the addon; works where no binary fits.
 *
 * @throws whatever loading the module throws
 */
export async function createWasmProvider(): Promise<CryptoProvider> {
  const wasm = await import('tiny-secp256k1');
  return {
    name: 'wasm',
    sign(digest, privateKey) {
      checkDigest(digest);
      checkPrivateKey(privateKey);
      const { signature, recoveryId } = wasm.signRecoverable(digest, privateKey);
      return joinSignature(signature, recoveryId);
    },
    recover(digest, signature) {
      checkDigest(digest);
      if (!isCanonicalSignature(signature)) return null;
      try {
        return wasm.recover(digest, signature.subarray(0, 64), signature[64] === 0 ? 0 : 1, false);
      } catch {
        // The module throws when r is not the x of a point.
        return null;
      }
    },
    verify(digest, signature, publicKey) {
      checkDigest(digest);
      if (!isCanonicalSignature(signature) || !isPublicKeyShape(publicKey)) return false;
      try {
        return wasm.verify(digest, publicKey, signature.subarray(0, 64), true);
      } catch {
        // The module throws on a public key that is not on the curve.
        return false;
      }
    },
    publicKey(privateKey) {
      checkPrivateKey(privateKey);
      const key = wasm.pointFromScalar(privateKey, true);
      assert(key !== null, 'a valid private key has a public key');
      return key;
    },
  };
}
