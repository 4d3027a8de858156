import type { Log } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { bytesOf } from '../state/bytes.ts';

const bloomBytes = 256;
const bitRange = 2048;

/** Bloom filter without a log. Shared: nobody writes to the filter of a receipt. */
export const emptyBloom = new Uint8Array(bloomBytes);

/** The three bits of an address or topic, as the digits of one number; a few of them are in nearly every log. */
const knownBits = new Map<string, number>();
const knownBitsMax = 4096;

function bitsOf(key: string): number {
  const known = knownBits.get(key);
  if (known !== undefined) return known;
  const hash = keccak256(bytesOf(key));
  const bit = (place: number): number => ((hash[place]! << 8) | hash[place + 1]!) % bitRange;
  const bits = (bit(4) * bitRange + bit(2)) * bitRange + bit(0);
  if (knownBits.size >= knownBitsMax) knownBits.clear();
  knownBits.set(key, bits);
  return bits;
}

function add(bloom: Uint8Array, key: string): void {
  let bits = bitsOf(key);
  for (let count = 0; count < 3; count++) {
    const bit = bits % bitRange;
    bloom[bloomBytes - 1 - (bit >> 3)]! |= 1 << (bit & 7);
    bits = Math.floor(bits / bitRange);
  }
}

/** Bloom filter of logs (yellow paper, section 4.3.1). */
export function logsBloom(logs: readonly Log[]): Uint8Array {
  if (logs.length === 0) return emptyBloom;
  const bloom = new Uint8Array(bloomBytes);
  for (const { address, topics } of logs) {
    add(bloom, address);
    for (const topic of topics) add(bloom, topic);
  }
  return bloom;
}
