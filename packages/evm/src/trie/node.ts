import { concatBytes } from '@prime/primitives';
import { EvmError } from '../errors.ts';

/**
 * Nodes of the Merkle Patricia trie (yellow paper, appendix D) as the batched update works on them.
 *
 * A branch has no value of its own: no key of the state, storage and receipt tries is a prefix of another one.
 */
export type TrieNode = LeafNode | ExtensionNode | BranchNode;

export interface LeafNode {
  readonly kind: 'leaf';
  /** Nibbles from this node to the end of the key. */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}
export interface ExtensionNode {
  readonly kind: 'extension';
  /** At least one nibble. */
  readonly path: Uint8Array;
  child: TrieRef;
}
export interface BranchNode {
  readonly kind: 'branch';
  /** 16 places, at least two of them taken. */
  readonly children: (TrieRef | null)[];
}

/** A stored node, loaded at most once. */
export interface HashRef {
  readonly kind: 'hash';
  readonly hash: Uint8Array;
  node: TrieNode | null;
}

/** A node in place is either embedded (its encoding has fewer than 32 bytes) or new and not stored yet. */
export type TrieRef = HashRef | TrieNode;

export const hashRef = (hash: Uint8Array, node: TrieNode | null = null): HashRef => ({ kind: 'hash', hash, node });

const corrupt = (what: string): never => {
  throw new EvmError(`stored trie node: ${what}`, { code: 'EVM_STATE_CORRUPT', what });
};

/** @throws EvmError `EVM_STATE_CORRUPT` */
export function decodeNode(bytes: Uint8Array): TrieNode {
  const items = listItems(bytes);
  if (items.length === 17) {
    const children: (TrieRef | null)[] = [];
    for (let index = 0; index < 16; index++) children.push(decodeRef(items[index]!));
    if (items[16]!.payload.length > 0) corrupt('a branch with a value');
    return { kind: 'branch', children };
  }
  if (items.length !== 2) return corrupt(`a list of ${items.length} items`);
  const { path, isLeaf } = decodePath(items[0]!.payload);
  if (isLeaf) return { kind: 'leaf', path, value: items[1]!.payload };
  const child = decodeRef(items[1]!);
  return child === null ? corrupt('an extension without a child') : { kind: 'extension', path, child };
}

interface Item {
  readonly isList: boolean;
  /** Header and payload. */
  readonly whole: Uint8Array;
  readonly payload: Uint8Array;
}

function decodeRef(item: Item): TrieRef | null {
  if (item.isList) return decodeNode(item.whole);
  if (item.payload.length === 0) return null;
  return item.payload.length === 32 ? hashRef(item.payload) : corrupt(`a reference of ${item.payload.length} bytes`);
}

function listItems(bytes: Uint8Array): Item[] {
  const outer = readItem(bytes, 0);
  if (!outer.isList) return corrupt('not a list');
  const items: Item[] = [];
  for (let offset = 0; offset < outer.payload.length; ) {
    const item = readItem(outer.payload, offset);
    items.push(item);
    offset += item.whole.length;
  }
  return items;
}

function readItem(bytes: Uint8Array, offset: number): Item {
  const first = bytes[offset] ?? 0;
  if (first < 0x80) {
    const payload = bytes.subarray(offset, offset + 1);
    return { isList: false, whole: payload, payload };
  }
  const isList = first >= 0xc0;
  const short = first - (isList ? 0xc0 : 0x80);
  const sizeBytes = short > 55 ? short - 55 : 0;
  let length = sizeBytes === 0 ? short : 0;
  for (let index = 1; index <= sizeBytes; index++) length = length * 256 + (bytes[offset + index] ?? 0);
  const start = offset + 1 + sizeBytes;
  if (start + length > bytes.length) return corrupt('cut short');
  return { isList, whole: bytes.subarray(offset, start + length), payload: bytes.subarray(start, start + length) };
}

function decodePath(encoded: Uint8Array): { readonly path: Uint8Array; readonly isLeaf: boolean } {
  const flag = (encoded[0] ?? 0) >> 4;
  if (encoded.length === 0 || flag > 3) return corrupt('a path without a flag');
  const odd = flag & 1;
  const path = new Uint8Array(encoded.length * 2 - 2 + odd);
  for (let index = 0; index < path.length; index++) {
    const nibble = index + 2 - odd;
    const byte = encoded[nibble >> 1]!;
    path[index] = nibble % 2 === 0 ? byte >> 4 : byte & 15;
  }
  return { path, isLeaf: flag >= 2 };
}

/** Hex-prefix encoding of a path. */
function encodePath(path: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = path.length % 2;
  const encoded = new Uint8Array((path.length >> 1) + 1);
  encoded[0] = ((isLeaf ? 2 : 0) + odd) << 4;
  for (let index = 0; index < path.length; index++) {
    const nibble = index + 2 - odd;
    encoded[nibble >> 1]! |= nibble % 2 === 0 ? path[index]! << 4 : path[index]!;
  }
  return encoded;
}

const emptyString = Uint8Array.of(0x80);
const hashHeader = Uint8Array.of(0xa0);

function header(length: number, base: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  if (length < 0x100) return Uint8Array.of(base + 56, length);
  if (length < 0x10000) return Uint8Array.of(base + 57, length >> 8, length & 255);
  return Uint8Array.of(base + 58, length >> 16, (length >> 8) & 255, length & 255);
}

const encodeString = (bytes: Uint8Array): readonly Uint8Array[] =>
  bytes.length === 1 && bytes[0]! < 0x80 ? [bytes] : [header(bytes.length, 0x80), bytes];

function encodeList(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  return concatBytes(header(length, 0xc0), ...parts);
}

/**
 * Encodes a node, its new descendants first. Each encoding of 32 bytes or more is given to `store` and replaced by a reference
 * in its parent, in place.
 *
 * @param store gives back the hash of what it was given
 */
export function encodeNode(node: TrieNode, store: (encoded: Uint8Array) => Uint8Array): Uint8Array {
  if (node.kind === 'leaf')
    return encodeList([...encodeString(encodePath(node.path, true)), ...encodeString(node.value)]);
  if (node.kind === 'extension') {
    const parts = [...encodeString(encodePath(node.path, false))];
    node.child = sealChild(node.child, store, parts);
    return encodeList(parts);
  }
  const parts: Uint8Array[] = [];
  const { children } = node;
  for (let index = 0; index < 16; index++) {
    const child = children[index]!;
    if (child === null) parts.push(emptyString);
    else children[index] = sealChild(child, store, parts);
  }
  parts.push(emptyString);
  return encodeList(parts);
}

function sealChild(child: TrieRef, store: (encoded: Uint8Array) => Uint8Array, parts: Uint8Array[]): TrieRef {
  if (child.kind === 'hash') {
    parts.push(hashHeader, child.hash);
    return child;
  }
  const encoded = encodeNode(child, store);
  if (encoded.length < 32) {
    parts.push(encoded);
    return child;
  }
  const hash = store(encoded);
  parts.push(hashHeader, hash);
  return hashRef(hash, child);
}
