import type { Hash } from '@prime/primitives';
import { createKeccak } from 'hash-wasm';
import { createKeccakKernel, kernelMemoryBytes, rateBytes } from './keccakKernel.ts';

/**
 * Keccak-256 as Ethereum uses it (the padding from before SHA-3 was standardised). WebAssembly, because block and vote hashes
 * are on the hot path: half a microsecond for 100 bytes where pure JavaScript takes around 18 µs.
 *
 * What is short is hashed by keccakKernel.ts in one call; the library does the same for what is long or comes in parts (docs/adr/0114-keccak-kernel.md). Both
 * serve all calls of a thread: a call runs to its end without yielding.
 */
const hasher = await createKeccak(256);
const kernel = await createKeccakKernel();

const hashBytes = 32;
/** Behind the constants of the rounds. */
const outputAt = 192;
const inputAt = 256;
const memory = new Uint8Array(kernel.memory);
/** Bytes of a message and its padding. */
const inputBytesMax = Math.floor((kernelMemoryBytes - inputAt) / rateBytes) * rateBytes;
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Where a message may be put together that {@link keccakOfInput} hashes, without a copy of it. Any other hash of the thread writes over it.
 * Begins at a multiple of 64 bytes, so that it can be read in words.
 */
export const keccakInput: Uint8Array = memory.subarray(inputAt);
export const keccakInputWords: Int32Array = new Int32Array(kernel.memory, inputAt);
/** The latest hash of {@link keccakOfInput} or {@link keccakToOutput}, until the next hash of the thread: 8 words. */
export const keccakOutputWords: Int32Array = new Int32Array(kernel.memory, outputAt, hashBytes / 4);

/** Hashes a part of {@link keccakInput} into {@link keccakOutputWords}; writes up to a block behind it. @param from bytes @param length bytes, with `from` at most 32 KiB */
export function keccakOfInput(from: number, length: number): void {
  absorb(inputAt + from, length);
}

/** {@link keccak256} into {@link keccakOutputWords}: makes nothing that would have to be collected. */
export function keccakToOutput(bytes: Uint8Array): void {
  if (!absorbed(bytes)) memory.set(keccak256(bytes), outputAt);
}

/** Hashes what stands in the memory, which it pads: a one behind the message and one at the end of its last block. */
function absorb(at: number, length: number): void {
  const blocks = Math.floor(length / rateBytes) + 1;
  const last = at + blocks * rateBytes - 1;
  let end = at + length;
  memory[end++] = 1;
  if (last - end > fillLeast) memory.fill(0, end, last + 1);
  else while (end <= last) memory[end++] = 0;
  memory[last]! |= 0x80;
  kernel.absorb(at, blocks, outputAt);
}
/** From here on filling by the engine's own function is faster than a loop. */
const fillLeast = 32;

/** @returns whether the message is short enough, and its hash is at {@link outputAt} */
function absorbed(bytes: Uint8Array): boolean {
  const { length } = bytes;
  if (length >= inputBytesMax) return false;
  memory.set(bytes, inputAt);
  absorb(inputAt, length);
  return true;
}

/** @returns 32 bytes, freshly allocated */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (absorbed(bytes)) return memory.slice(outputAt, outputAt + hashBytes);
  hasher.init();
  hasher.update(bytes);
  return hasher.digest('binary');
}

/** {@link keccak256} as lower-case hex. */
export function keccakHex(bytes: Uint8Array): Hash {
  if (!absorbed(bytes)) return keccakHexOf([bytes]);
  let text = '0x';
  for (let at = outputAt; at < outputAt + hashBytes; at++) text += hexDigits[memory[at]!]!;
  return text as Hash;
}

/** Hash of the concatenation of the parts, without making it. */
export function keccakHexOf(parts: Iterable<Uint8Array>): Hash {
  hasher.init();
  for (const part of parts) hasher.update(part);
  return `0x${hasher.digest('hex')}` as Hash;
}
