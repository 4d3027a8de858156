import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, hashes, recoverPublicKey, sign } from '@noble/secp256k1';
import { nobleVerify } from './nobleVerify.ts';
import type { CryptoProvider } from './provider.ts';
import { checkDigest, checkPrivateKey, isCanonicalSignature } from './scalar.ts';

// The library ships without synchronous hashes; RFC 6979 needs HMAC-SHA-256.
hashes.sha256 = sha256;
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** The reference: plain JavaScript, ~70 times slower than the addon. Its form of a signature has the recovery id first. */
export const createNobleProvider = (): CryptoProvider => ({
  name: 'noble',
  sign(digest, privateKey) {
    checkDigest(digest);
    checkPrivateKey(privateKey);
    const recovered = sign(digest, privateKey, {
      prehash: false,
      lowS: true,
      format: 'recovered',
      extraEntropy: false,
    });
    const signature = new Uint8Array(65);
    signature.set(recovered.subarray(1));
    signature[64] = recovered[0]!;
    return signature;
  },
  recover(digest, signature) {
    checkDigest(digest);
    if (!isCanonicalSignature(signature)) return null;
    const recovered = new Uint8Array(65);
    recovered[0] = signature[64]!;
    recovered.set(signature.subarray(0, 64), 1);
    try {
      return recoverPublicKey(recovered, digest, { prehash: false, isCompressed: false });
    } catch {
      // The library throws when r is not the x of a point or the result is the point at infinity.
      return null;
    }
  },
  verify: nobleVerify,
  publicKey(privateKey) {
    checkPrivateKey(privateKey);
    return getPublicKey(privateKey, true);
  },
});
