import { verify } from '@noble/secp256k1';
import type { CryptoProvider } from './provider.ts';
import { checkDigest, isCanonicalSignature, isPublicKeyShape } from './scalar.ts';

/** Of inputs that were checked before. @param compact r | s, 64 bytes */
export const verifyCompact = (compact: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean =>
  verify(compact, digest, publicKey, { prehash: false, lowS: true });

/** {@link CryptoProvider.verify} in JavaScript, for who only checks: without the hashes that signing takes. */
export const nobleVerify: CryptoProvider['verify'] = (digest, signature, publicKey) => {
  checkDigest(digest);
  if (!isCanonicalSignature(signature) || !isPublicKeyShape(publicKey)) return false;
  return verifyCompact(signature.subarray(0, 64), digest, publicKey);
};
