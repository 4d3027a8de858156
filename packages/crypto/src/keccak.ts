import type { Hash } from '@prime/primitives';
import { createKeccak } from 'hash-wasm';

/**
 * Keccak-256 as Ethereum uses it (the padding from before SHA-3 was standardised). WebAssembly, because block and vote hashes
 * are on the hot path: 0.6 µs for 100 bytes where pure JavaScript takes around 18 µs.
 *
 * One hasher serves all calls of a thread: a call runs from init to digest without yielding.
 */
const hasher = await createKeccak(256);

/** @returns 32 bytes, freshly allocated */
export function keccak256(bytes: Uint8Array): Uint8Array {
  hasher.init();
  hasher.update(bytes);
  return hasher.digest('binary');
}

/** {@link keccak256} as lower-case hex. */
export function keccakHex(bytes: Uint8Array): Hash {
  hasher.init();
  hasher.update(bytes);
  return `0x${hasher.digest('hex')}` as Hash;
}
