import type { CryptoProvider } from '@prime/crypto';

/** Signatures that are remembered, at least; some 300 bytes each. Votes of two heights of the largest set are 400. */
const rememberedMin = 2_048;

/** A provider that knows signatures which it has found good, or which were made here. */
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
  let newer = new Triples();
  let older = new Triples();
  const remember = (digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void => {
    if (newer.size >= rememberedMin) {
      older = newer;
      newer = new Triples();
    }
    newer.add(digest, signature, publicKey);
  };
  return {
    ...provider,
    verify(digest, signature, publicKey) {
      if (newer.has(digest, signature, publicKey) || older.has(digest, signature, publicKey)) return true;
      if (!provider.verify(digest, signature, publicKey)) return false;
      remember(digest, signature, publicKey);
      return true;
    },
    noteMade: remember,
  };
}

const slabBytes = 16 * 1024;

/**
 * Triples by the beginning of their signature, which is as good as random: finding one costs a look and a comparison of bytes, and no text or hash
 * of all of them. Of two that begin alike the later one is kept, and the other one is checked again.
 */
class Triples {
  readonly #byBeginning = new Map<number, Uint8Array>();
  /** What the next ones are cut from: an array of its own for each would take longer than looking it up. */
  #slab = new Uint8Array(0);
  #used = 0;

  get size(): number {
    return this.#byBeginning.size;
  }

  has(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
    const kept = this.#byBeginning.get(beginningOf(signature));
    if (kept === undefined || kept.length !== digest.length + signature.length + publicKey.length) return false;
    return (
      holdsAt(kept, 0, digest) &&
      holdsAt(kept, digest.length, signature) &&
      holdsAt(kept, digest.length + signature.length, publicKey)
    );
  }

  /** Lengths of digests and keys are fixed by who verifies, so that no two triples have the same bytes. */
  add(digest: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void {
    const length = digest.length + signature.length + publicKey.length;
    if (this.#used + length > this.#slab.length) {
      this.#slab = new Uint8Array(Math.max(slabBytes, length));
      this.#used = 0;
    }
    const kept = this.#slab.subarray(this.#used, this.#used + length);
    this.#used += length;
    kept.set(digest);
    kept.set(signature, digest.length);
    kept.set(publicKey, digest.length + signature.length);
    this.#byBeginning.set(beginningOf(signature), kept);
  }
}

/** 30 bits: what V8 keeps in the table itself. */
const beginningOf = (signature: Uint8Array): number =>
  signature[0]! | (signature[1]! << 8) | (signature[2]! << 16) | ((signature[3]! & 0x3f) << 24);

function holdsAt(bytes: Uint8Array, offset: number, part: Uint8Array): boolean {
  for (let index = 0; index < part.length; index++) if (bytes[offset + index] !== part[index]) return false;
  return true;
}
