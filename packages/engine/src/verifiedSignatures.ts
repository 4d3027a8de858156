import type { CryptoProvider } from '@prime/crypto';

/** Signatures that are remembered, at least; some 300 bytes each. Votes of two heights of the largest set are 400. */
const rememberedMin = 2_048;

export interface RememberingProvider extends CryptoProvider {
  /** A signature that was made in this process counts as checked: the next block's certificate holds it. */
  noteMade(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void;
}

/**
 * A provider that does not check twice what it found good: the same signature, digest and key, byte for byte. A precommit comes as a vote,
 * and once more in the certificate that the next block carries.
 *
 * Bounded: two generations, of which the older one is forgotten when the newer one is full. Only good ones are kept, so that a flood of bad
 * ones takes nobody's place.
 */
export function rememberVerified(provider: CryptoProvider): RememberingProvider {
  let newer = new Set<string>();
  let older = new Set<string>();
  const remember = (key: string): void => {
    if (newer.size >= rememberedMin) {
      older = newer;
      newer = new Set();
    }
    newer.add(key);
  };
  return {
    ...provider,
    verify(digest, signature, publicKey) {
      const key = textOf(digest, signature, publicKey);
      if (newer.has(key) || older.has(key)) return true;
      if (!provider.verify(digest, signature, publicKey)) return false;
      remember(key);
      return true;
    },
    noteMade: (digest, signature, publicKey) => remember(textOf(digest, signature, publicKey)),
  };
}

/** Digest and signature, and a key of either form. */
const scratch = new Uint8Array(32 + 65 + 65);

/** One character for each byte; the lengths of digests and keys are fixed by who verifies, so that no two triples have one text. */
function textOf(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): string {
  const length = digest.length + signature.length + publicKey.length;
  const bytes = length <= scratch.length ? scratch : new Uint8Array(length);
  bytes.set(digest);
  bytes.set(signature, digest.length);
  bytes.set(publicKey, digest.length + signature.length);
  return String.fromCharCode.apply(null, bytes.subarray(0, length) as unknown as number[]);
}
