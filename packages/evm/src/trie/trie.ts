import { keccak256 } from '@prime/crypto';
import { bytesToHex } from '@prime/primitives';
import { EvmError } from '../errors.ts';
import {
  decodeNode,
  encodeNode,
  type HashRef,
  hashRef,
  type LeafNode,
  newRef,
  type NodeSink,
  type TrieNode,
  type TrieRef,
} from './node.ts';

/**
 * One batched update of a Merkle Patricia trie.
 *
 * The library's trie takes one key at a time and hashes the whole path to the root for each; for a block that touches 2000
 * accounts that is 20 times the hashing that is needed. Here the sorted changes descend together, every node on the way is
 * rebuilt once, and hashes are taken once, bottom up, when all changes are in. Reading is synchronous. Nodes that did not change
 * stay shared with the old trie, and a loaded node stays attached to its reference, so the next block starts with a warm trie.
 */
export interface TrieChange {
  /** Nibbles of the key. No key of a trie may be a prefix of another one. */
  readonly path: Uint8Array;
  /** null removes the key. */
  readonly value: Uint8Array | null;
}

/** A stored node. @throws EvmError `EVM_NODE_MISSING`, `EVM_STATE_CORRUPT` */
export type LoadNode = (hash: Uint8Array) => TrieNode;

/** The stored nodes of a trie, as an update works on them. */
export interface TrieStore {
  readonly load: LoadNode;
  /** Room for the encoding of a node, where the store has a place for it; usually new bytes. */
  readonly room?: NodeSink['room'];
  /** Is given the hash and bytes of every new node; the same node may come twice. */
  readonly store: (hash: Uint8Array, encoded: Uint8Array) => void;
  /** Is given every node with a hash that is part of the trie no more. One that comes back at once was stored, too. */
  readonly drop: (ref: HashRef) => void;
}

/** Root hash of the trie without keys: keccak256 of the empty string's RLP. */
export const emptyTrieRoot = keccak256(Uint8Array.of(0x80));

/** The error for a root that this database does not know, or a damaged database: code `EVM_NODE_MISSING`. */
export const missingNode = (hash: Uint8Array): EvmError =>
  new EvmError(`trie node ${bytesToHex(hash)} is not in the database`, {
    code: 'EVM_NODE_MISSING',
    hash: bytesToHex(hash),
  });

/** The loaded node of a reference. */
function resolve(ref: TrieRef, load: LoadNode): TrieNode {
  if (ref.kind !== 'hash') return ref;
  ref.node ??= load(ref.hash);
  return ref.node;
}

/** Nibbles of a byte string. */
export function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2);
  for (let index = 0; index < bytes.length; index++) {
    nibbles[2 * index] = bytes[index]! >> 4;
    nibbles[2 * index + 1] = bytes[index]! & 15;
  }
  return nibbles;
}

/** Value of a key, or null. */
export function readTrie(root: TrieRef | null, path: Uint8Array, load: LoadNode): Uint8Array | null {
  let ref = root;
  let depth = 0;
  while (ref !== null) {
    const node = resolve(ref, load);
    if (node.kind === 'branch') {
      ref = node.children[path[depth]!] ?? null;
      depth++;
      continue;
    }
    if (sharedLength(node.path, path, depth) < node.path.length) return null;
    if (node.kind === 'leaf') return node.value;
    depth += node.path.length;
    ref = node.child;
  }
  return null;
}

/**
 * Encodings of the stored nodes on the way to a key, from the root down: what shows that it is there, or is not (EIP-1186).
 *
 * @param encodingOf bytes of a stored node
 */
export function proveTrie(
  root: Uint8Array,
  path: Uint8Array,
  encodingOf: (hash: Uint8Array) => Uint8Array,
): readonly Uint8Array[] {
  const proof: Uint8Array[] = [];
  const load: LoadNode = (hash) => {
    const encoded = encodingOf(hash);
    proof.push(encoded);
    return decodeNode(encoded);
  };
  // Fresh references: each node is loaded once, in the order of the path.
  readTrie(trieAt(root), path, load);
  return proof;
}

/** The trie under a root hash, not loaded yet. */
export const trieAt = (root: Uint8Array): HashRef | null => (sameHash(root, emptyTrieRoot) ? null : hashRef(root));

function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  for (let index = 0; index < 32; index++) if (a[index] !== b[index]) return false;
  return true;
}

/**
 * Applies changes and hashes what is new.
 *
 * @param changes ascending by path, each path once
 * @returns the new trie; null is the empty one. The old one stays usable.
 */
export function updateTrie(root: HashRef | null, changes: readonly TrieChange[], nodes: TrieStore): HashRef | null {
  const updated = apply(root, changes, 0, nodes);
  if (updated === null) return null;
  if (updated.kind === 'hash') return updated;
  const store = (encoded: Uint8Array): Uint8Array => {
    const hash = keccak256(encoded);
    nodes.store(hash, encoded);
    return hash;
  };
  const sink = { room: nodes.room ?? newBytes, store };
  const encoded = encodeNode(updated, sink);
  return newRef(store(encoded), updated, encoded);
}

/** Visits the nodes of a trie that are not written. */
export function visitUnwritten(ref: TrieRef | null, visit: (ref: HashRef, encoded: Uint8Array) => void): void {
  // What is below a written node is written, and an embedded node has no room for a hash.
  if (ref?.kind !== 'hash' || ref.unwritten === null) return;
  visit(ref, ref.unwritten);
  const { node } = ref;
  if (node?.kind === 'extension') visitUnwritten(node.child, visit);
  else if (node?.kind === 'branch') for (const child of node.children) visitUnwritten(child, visit);
}

const newBytes = (length: number): Uint8Array => new Uint8Array(length);

/** Root hash of a trie; null is the empty one, whose root is Keccak-256 of the RLP of no bytes. */
export const rootHash = (trie: HashRef | null): Uint8Array => trie?.hash ?? emptyTrieRoot;

function apply(ref: TrieRef | null, changes: readonly TrieChange[], depth: number, nodes: TrieStore): TrieRef | null {
  if (changes.length === 0) return ref;
  if (ref === null) return build(present(changes), depth);
  const node = resolve(ref, nodes.load);
  if (node.kind === 'leaf') return replaced(ref, applyToLeaf(ref, node, changes, depth), nodes);
  if (node.kind === 'branch') return replaced(ref, applyToBranch(ref, node.children, changes, depth, nodes), nodes);
  const { path, child } = node;
  let shared = path.length;
  for (const change of changes)
    if (change.value !== null) shared = Math.min(shared, sharedLength(path, change.path, depth));
  const relevant = changes.filter((change) => sharedLength(path, change.path, depth) >= shared);
  if (relevant.length === 0) return ref;
  if (shared === path.length) {
    const updated = apply(child, relevant, depth + path.length, nodes);
    return updated === child ? ref : replaced(ref, prepend(path, updated, nodes), nodes);
  }
  // A new key leaves the extension early: a branch stands where it does.
  const children: (TrieRef | null)[] = emptyChildren();
  children[path[shared]!] =
    shared + 1 === path.length ? child : { kind: 'extension', path: path.subarray(shared + 1), child };
  const branch = applyToBranch(null, children, relevant, depth + shared, nodes);
  return replaced(ref, prepend(path.subarray(0, shared), branch, nodes), nodes);
}

/** What stands where a node stood; a stored one that does not stand there any more is dropped. */
function replaced(ref: TrieRef, by: TrieRef | null, nodes: TrieStore): TrieRef | null {
  if (ref !== by && ref.kind === 'hash') nodes.drop(ref);
  return by;
}

const present = (changes: readonly TrieChange[]): LeafChange[] =>
  changes.filter((change): change is LeafChange => change.value !== null);

type LeafChange = TrieChange & { readonly value: Uint8Array };

const emptyChildren = (): (TrieRef | null)[] => Array.from<TrieRef | null>({ length: 16 }).fill(null);

function applyToLeaf(ref: TrieRef, leaf: LeafNode, changes: readonly TrieChange[], depth: number): TrieRef | null {
  const own = changes.find((change) => sharedLength(leaf.path, change.path, depth) === leaf.path.length);
  const kept = present(changes);
  if (own === undefined) {
    if (kept.length === 0) return ref;
    const path = new Uint8Array(depth + leaf.path.length);
    path.set(kept[0]!.path.subarray(0, depth));
    path.set(leaf.path, depth);
    const place = kept.findIndex((change) => comparePaths(change.path, path) > 0);
    kept.splice(place < 0 ? kept.length : place, 0, { path, value: leaf.value });
  }
  return build(kept, depth);
}

function applyToBranch(
  ref: TrieRef | null,
  children: readonly (TrieRef | null)[],
  changes: readonly TrieChange[],
  depth: number,
  nodes: TrieStore,
): TrieRef | null {
  const updated = children.slice();
  let changed = ref === null;
  for (let start = 0; start < changes.length; ) {
    const nibble = changes[start]!.path[depth]!;
    let end = start + 1;
    while (end < changes.length && changes[end]!.path[depth] === nibble) end++;
    const child = apply(updated[nibble]!, changes.slice(start, end), depth + 1, nodes);
    if (child !== updated[nibble]) changed = true;
    updated[nibble] = child;
    start = end;
  }
  if (!changed) return ref;
  let only = -1;
  let count = 0;
  for (let nibble = 0; nibble < 16; nibble++) {
    if (updated[nibble] === null) continue;
    only = nibble;
    count++;
  }
  if (count === 0) return null;
  if (count === 1) return prepend(Uint8Array.of(only), updated[only]!, nodes);
  return { kind: 'branch', children: updated };
}

/** A trie of these leaves alone, from `depth` on. */
function build(leaves: readonly LeafChange[], depth: number): TrieRef | null {
  const first = leaves[0];
  if (first === undefined) return null;
  if (leaves.length === 1) return { kind: 'leaf', path: first.path.subarray(depth), value: first.value };
  const last = leaves[leaves.length - 1]!;
  // Sorted: what the first and the last one share, all share.
  let end = depth;
  while (first.path[end] === last.path[end]) end++;
  const children = emptyChildren();
  for (let start = 0; start < leaves.length; ) {
    const nibble = leaves[start]!.path[end]!;
    let next = start + 1;
    while (next < leaves.length && leaves[next]!.path[end] === nibble) next++;
    children[nibble] = build(leaves.slice(start, next), end + 1);
    start = next;
  }
  const branch: TrieNode = { kind: 'branch', children };
  return end === depth ? branch : { kind: 'extension', path: first.path.subarray(depth, end), child: branch };
}

/** Puts a path before a trie, in the one form that the trie allows: never an extension before a leaf or another extension. */
function prepend(path: Uint8Array, ref: TrieRef | null, nodes: TrieStore): TrieRef | null {
  if (ref === null || path.length === 0) return ref;
  const node = resolve(ref, nodes.load);
  if (node.kind === 'branch') return { kind: 'extension', path, child: ref };
  const joined = new Uint8Array(path.length + node.path.length);
  joined.set(path);
  joined.set(node.path, path.length);
  return replaced(ref, { ...node, path: joined }, nodes);
}

/** How many nibbles of `path` equal those of `key` from `depth` on. */
function sharedLength(path: Uint8Array, key: Uint8Array, depth: number): number {
  let length = 0;
  while (length < path.length && path[length] === key[depth + length]) length++;
  return length;
}

/** Order in which {@link updateTrie} takes changes. */
export function comparePaths(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return a.length - b.length;
}
