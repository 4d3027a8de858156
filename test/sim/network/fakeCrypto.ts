import { type CryptoProvider, keccak256 } from '@prime/crypto';
import { bytesEqual, bytesToHex, concatBytes } from '@prime/primitives';

/**
 * Signatures that cost two hashes. Nobody in a simulation tries to forge one, so it is enough that a signature names its key,
 * belongs to one digest, and fails for every other. Keys stay real: their addresses are made from curve points.
 */
export function createFakeCrypto(real: CryptoProvider, privateKeys: readonly Uint8Array[]): CryptoProvider {
  const tags = new Map(privateKeys.map((key) => [keyOf(real, key).tagHex, keyOf(real, key).recovered]));
  const holds = (digest: Uint8Array, signature: Uint8Array): boolean =>
    bytesEqual(signature.subarray(0, 32), keccak256(concatBytes(digest, signature.subarray(32, 64))));
  return {
    name: real.name,
    publicKey: (privateKey) => keyOf(real, privateKey).publicKey,
    sign(digest, privateKey) {
      const { tag } = keyOf(real, privateKey);
      return concatBytes(keccak256(concatBytes(digest, tag)), tag, new Uint8Array(1));
    },
    recover: (digest, signature) =>
      holds(digest, signature) ? (tags.get(bytesToHex(signature.subarray(32, 64))) ?? null) : null,
    verify: (digest, signature, publicKey) =>
      holds(digest, signature) && bytesEqual(signature.subarray(32, 64), tagOf(publicKey)),
  };
}

interface Key {
  readonly publicKey: Uint8Array;
  readonly recovered: Uint8Array;
  readonly tag: Uint8Array;
  readonly tagHex: string;
}

/** The points of the curve behind a key, which do not change from run to run. By the array: keys are made once. */
const knownKeys = new WeakMap<Uint8Array, Key>();

function keyOf(real: CryptoProvider, privateKey: Uint8Array): Key {
  const known = knownKeys.get(privateKey);
  if (known !== undefined) return known;
  const publicKey = real.publicKey(privateKey);
  const digest = keccak256(publicKey);
  const recovered = real.recover(digest, real.sign(digest, privateKey));
  if (recovered === null) throw new Error('a fresh signature recovers its key');
  const tag = tagOf(publicKey);
  const key = { publicKey, recovered, tag, tagHex: bytesToHex(tag) };
  knownKeys.set(privateKey, key);
  return key;
}

/** Stands where s stands, and so is below half of the group's order. @param publicKey 33 or 65 bytes */
function tagOf(publicKey: Uint8Array): Uint8Array {
  const tag = publicKey.slice(1, 33);
  tag[0]! &= 0x3f;
  return tag;
}
