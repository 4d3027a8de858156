import { verify } from '@noble/secp256k1';
import type { CryptoProvider } from './provider.ts';
import { checkDigest, isCanonicalSignature, isPublicKeyShape } from './scalar.ts';

/** {@link CryptoProvider.verify} in JavaScript, for who only checks: without the hashes that signing takes. */
export const nobleVerify: CryptoProvider['verify'] = (digest, signature, publicKey) => {
  checkDigest(digest);
  if (!isCanonicalSignature(signature) || !isPublicKeyShape(publicKey)) return false;
  return verify(signature.subarray(0, 64), digest, publicKey, { prehash: false, lowS: true });
};
