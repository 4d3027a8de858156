import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { getPublicKey, hashes, recoverPublicKey, sign } from '@noble/secp256k1';
import { concatBytes } from '@prime/primitives';
import { checkedProvider, joinSignature } from './checkedProvider.ts';
import { verifyCompact } from './nobleVerify.ts';
import type { CryptoProvider } from './provider.ts';

// The library ships without synchronous hashes; RFC 6979 needs HMAC-SHA-256.
hashes.sha256 = sha256;
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);

/** The reference: plain JavaScript, ~70 times slower than the addon. Its form of a signature has the recovery id first. */
export const createNobleProvider = (): CryptoProvider =>
  checkedProvider('noble', {
    sign(digest, privateKey) {
      const options = { prehash: false, lowS: true, format: 'recovered', extraEntropy: false } as const;
      const recovered = sign(digest, privateKey, options);
      return joinSignature(recovered.subarray(1), recovered[0]!);
    },
    recover: (compact, yParity, digest) =>
      recoverPublicKey(concatBytes(Uint8Array.of(yParity), compact), digest, { prehash: false, isCompressed: false }),
    verify: verifyCompact,
    publicKey: (privateKey) => getPublicKey(privateKey, true),
  });
