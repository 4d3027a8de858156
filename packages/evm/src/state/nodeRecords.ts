import { heightKey, prefixedKey, statePrefix } from '@prime/codec';
import { type Address, concatBytes, type Height } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import { bytesOf } from './bytes.ts';

/**
 * How trie nodes are kept, so that a node that keeps only recent states can tell when one is superfluous
 * (docs/adr/0048-pruning.md).
 *
 * A node's name in the database is its trie's owner and its hash. Within one trie of hashed keys a node occurs at one place at
 * most: two places would need keys that agree in all their last nibbles. So a node that a block drops from a trie is superfluous
 * for every state from this block on, unless a later block puts it back; that is why the value ends with the height at
 * which the node was written last.
 */

/** Names the nodes of one trie. */
export type NodeKeyOf = (hash: Uint8Array) => Uint8Array;

/** Key of a node of the account trie: prefix and 32 bytes of its hash. */
export const accountNodeKey: NodeKeyOf = (hash) => prefixedKey(statePrefix.accountNode, hash);

/** Keys of the nodes of an account's storage trie: prefix, owner and hash, so that tries never share a record. */
export function storageNodeKey(owner: Address): NodeKeyOf {
  const start = prefixedKey(statePrefix.storageNode, bytesOf(owner));
  return (hash) => concatBytes(start, hash);
}

const heightBytes = 6;

/** Bytes of the keys that a list of dropped records holds, by their prefix. */
const keyBytes: Readonly<Record<number, number>> = {
  [statePrefix.accountNode]: 33,
  [statePrefix.storageNode]: 53,
  [statePrefix.stateDiff]: 33,
};

/** encoding | height, 6 bytes */
export function encodeNodeRecord(encoded: Uint8Array, height: Height): Uint8Array {
  const record = new Uint8Array(encoded.length + heightBytes);
  record.set(encoded);
  writeHeight(record, height);
  return record;
}

const slabBytes = 128 * 1024;

/**
 * Room for the records of nodes, cut from few pieces of memory: a piece for each is allocated outside of V8's heap, which takes longer
 * than to encode the node. All of them are written within some blocks and forgotten, so none keeps a piece alive for long.
 *
 * @returns room for an encoding of a length, with place for a height behind it
 */
export function createNodeRoom(): (length: number) => Uint8Array {
  let slab = new Uint8Array(0);
  let next = 0;
  return (length) => {
    const needed = length + heightBytes;
    if (next + needed > slab.length) {
      slab = new Uint8Array(Math.max(slabBytes, needed));
      next = 0;
    }
    const start = next;
    next += needed;
    return slab.subarray(start, start + length);
  };
}

/** The record of a node. @param encoded what stands in room of {@link createNodeRoom}; the height is written behind it */
export function recordInRoom(encoded: Uint8Array, height: Height): Uint8Array {
  const record = new Uint8Array(encoded.buffer, encoded.byteOffset, encoded.length + heightBytes);
  writeHeight(record, height);
  return record;
}

function writeHeight(record: Uint8Array, height: Height): void {
  let rest: number = height;
  for (let index = record.length - 1; index >= record.length - heightBytes; index--) {
    record[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The node's own encoding. */
export const nodeEncoding = (record: Uint8Array): Uint8Array => record.subarray(0, record.length - heightBytes);

/** Height of the block that wrote the node last. */
export function nodeHeight(record: Uint8Array): Height {
  let height = 0;
  for (const byte of record.subarray(record.length - heightBytes)) height = height * 256 + byte;
  return height as Height;
}

/** Key of the list of what no state from a block on needs; its value is keys of nodes and diffs, one after the other. */
export const droppedNodesKey = (height: Height): Uint8Array => heightKey(statePrefix.droppedNodes, height);

/** Keys in such a list. @throws EvmError `EVM_STATE_CORRUPT` */
export function droppedKeys(list: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = [];
  for (let offset = 0; offset < list.length; ) {
    const end = offset + (keyBytes[list[offset]!] ?? Number.POSITIVE_INFINITY);
    if (end > list.length)
      throw new EvmError('the list of dropped nodes is damaged', { code: 'EVM_STATE_CORRUPT', what: 'dropped nodes' });
    keys.push(list.slice(offset, end));
    offset = end;
  }
  return keys;
}
