import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, type Hash } from '@prime/primitives';

/**
 * What `keccak.ts` exports, in JavaScript: without WebAssembly, and without a module that waits for it. Bundlers for browsers take this one (field `browser` of the manifest);
 * pages hash little, and who imports a library should not have to wait for it.
 */

/** @returns 32 bytes, freshly allocated */
export const keccak256 = (bytes: Uint8Array): Uint8Array => keccak_256(bytes);

/** {@link keccak256} as lower-case hex. */
export const keccakHex = (bytes: Uint8Array): Hash => bytesToHex(keccak_256(bytes)) as string as Hash;
