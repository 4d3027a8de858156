import type { CryptoProvider } from '@prime/crypto';

/** Signatures that are remembered, at least; some 300 bytes each. Votes of two heights of the largest set are 400. */
const rememberedMin = 2_048;

/**
 * A provider that does not check twice what it found good: the same signature, digest and key, byte for byte. A precommit comes as a vote,
 * and once more in the certificate that the next block carries.
 *
 * Bounded: two generations, of which the older one is forgotten when the newer one is full. Only good ones are kept, so that a flood of bad
 * ones takes nobody's place.
 */
export function rememberVerified(provider: CryptoProvider): CryptoProvider {
  let newer = new Set<string>();
  let older = new Set<string>();
  return {
    ...provider,
    verify(digest, signature, publicKey) {
      const key = textOf(digest) + textOf(signature) + textOf(publicKey);
      if (newer.has(key) || older.has(key)) return true;
      if (!provider.verify(digest, signature, publicKey)) return false;
      if (newer.size >= rememberedMin) {
        older = newer;
        newer = new Set();
      }
      newer.add(key);
      return true;
    },
  };
}

/** One character for each byte; the lengths of digests and keys are fixed by who verifies, so that no two triples have one text. */
const textOf = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[]);
