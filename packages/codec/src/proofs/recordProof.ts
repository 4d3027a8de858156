import { keccak256 } from '@prime/crypto';
import { bytesEqual } from '@prime/primitives';
import type { OrdersProofStep } from '../consensus/pipelineTypes.ts';

/** What proofs of the orders root are checked with (docs/protocol/orders-root.md); the tree itself belongs to the order book. */

const hashBytes = 32;

/** Hash of a record as a leaf of the orders root. */
export function leafHash(key: Uint8Array, value: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(2 + key.length + value.length);
  preimage[1] = key.length;
  preimage.set(key, 2);
  preimage.set(value, 2 + key.length);
  return keccak256(preimage);
}

/**
 * Says what a proof shows about a key.
 *
 * @param root 32 bytes
 * @param record the record of the proof's leaf key; null when the path ends at nothing
 * @returns null when the proof does not fit the root
 */
export function checkRecordProof(
  root: Uint8Array,
  key: Uint8Array,
  record: { readonly key: Uint8Array; readonly value: Uint8Array } | null,
  steps: readonly OrdersProofStep[],
): 'present' | 'absent' | null {
  let expected = root;
  let above = -1;
  for (const { depth, children } of steps) {
    if (!Number.isInteger(depth) || depth <= above || depth > depthMax || children.length !== 4) return null;
    if (!bytesEqual(nodeHash(depth, children), expected)) return null;
    above = depth;
    expected = children[digitAt(key, depth)]!;
  }
  if (record === null) return expected.every((byte) => byte === 0) ? 'absent' : null;
  if (!bytesEqual(leafHash(record.key, record.value), expected)) return null;
  return bytesEqual(record.key, key) ? 'present' : 'absent';
}

/** Depths are hashed as two bytes. Of a larger one the rest would be lost, and with it the place that the node stands at. */
const depthMax = 0xffff;

function nodeHash(depth: number, children: readonly Uint8Array[]): Uint8Array {
  const preimage = new Uint8Array(3 + 4 * hashBytes);
  preimage.set([1, depth >> 8, depth & 255]);
  children.forEach((child, digit) => {
    preimage.set(child.subarray(0, hashBytes), 3 + digit * hashBytes);
  });
  return keccak256(preimage);
}

/** Two bits of a key; 0 behind its end. */
const digitAt = (key: Uint8Array, step: number): number => ((key[step >> 2] ?? 0) >> (6 - 2 * (step & 3))) & 3;
