import type { OrdersProofStep } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { bytesToHash, grown, type Hash } from '@prime/primitives';
import { type FirstRoom, usualRoom } from '../book/firstRoom.ts';
import { IntStack } from '../book/intStack.ts';
import { keyBytesMax, RecordBatch } from './recordBatch.ts';

/**
 * Merkle trie over the records of the domain: its root is the orders root.
 *
 * Shape: a radix tree over the bits of the record keys, two bits a step, without nodes of one child. It is a function of the
 * set of keys alone, so nodes that came to the same records over different histories have the same root. Two bits a step,
 * because a node of four hashes (131 bytes) is exactly one keccak permutation; binary nodes take twice as many, nodes of
 * sixteen take four permutations each and make proofs longer (docs/adr/0010-orders-root.md). Keys are not hashed first: new
 * orders have consecutive ids, so that a block's orders share almost all of their path, and keys are prefix-free because
 * each kind has its own width.
 *
 * Nodes are never changed: an update makes new ones along the changed paths and keeps the old until it is committed, so
 * taking a block back is forgetting the new ones. A block's records go in as one sorted batch; each changed node is hashed once.
 *
 *   leaf = keccak(00 | key length, 1 byte | key | value)
 *   node = keccak(01 | depth in steps, 2 bytes | four child hashes, 32 zero bytes where there is none)
 *   root = hash of the top; 32 zero bytes without records
 */

/** References: 0 is nothing, n > 0 the interior node n, n < 0 the leaf -n. */
type Ref = number;

const hashBytes = 32;
/** Hashes are moved in words: a node's preimage begins where its first hash is at a whole word. */
const hashWords = hashBytes / 4;
const nodeHeader = 4;
const nodeBytes = new Uint8Array(nodeHeader + 4 * hashBytes);
nodeBytes[1] = 1;
const nodeWords = new Int32Array(nodeBytes.buffer);
const nodePreimage = nodeBytes.subarray(1);
const noHash = new Uint8Array(hashBytes);
const noBatch = new RecordBatch(() => 0);
/** Children of a node that is being rebuilt, four for each node on the way down. */
const framesMax = 4 * keyBytesMax + 2;

/** What shows that a record is, or is not, under a root. */
export interface RecordProof {
  /** From the root down. */
  readonly steps: readonly OrdersProofStep[];
  /** Key of the leaf at the end of the path: the asked one, or another one when it is absent; null when nothing is there. */
  readonly leafKey: Uint8Array | null;
}

/** Two versions of the trie: a working one that updates change, and the committed one, which still gives proofs. */
export class RecordTrie {
  #root: Ref = 0;
  #committedRoot: Ref = 0;
  #children = new Int32Array(4);
  #depths = new Uint16Array(1);
  /** Some leaf below each node: all of them agree up to the node's depth. It is there as long as the node is. */
  #witnesses = new Int32Array(1);
  #nodeHashes = new Hashes();
  #nodeCount = 1;
  readonly #freeNodes: IntStack;
  #leafHashes = new Hashes();
  #leafKeys = new Uint8Array(keyBytesMax);
  #leafKeyLengths = new Uint8Array(1);
  #leafCount = 1;
  readonly #freeLeaves: IntStack;
  // References made and dropped since the last commit.
  readonly #fresh: IntStack;
  readonly #retired: IntStack;
  readonly #parts = new Int32Array(4 * framesMax);
  #batch = noBatch;
  readonly #firstRoom: FirstRoom;

  constructor(firstRoom: FirstRoom = usualRoom) {
    this.#firstRoom = firstRoom;
    this.#freeNodes = new IntStack(firstRoom);
    this.#freeLeaves = new IntStack(firstRoom);
    this.#fresh = new IntStack(firstRoom);
    this.#retired = new IntStack(firstRoom);
  }

  root(): Hash {
    return bytesToHash(this.#root === 0 ? noHash : this.#hashOf(this.#root).slice());
  }

  /**
   * Applies writes to the working version.
   *
   * @param writes sorted by key, each key once; a null value removes
   * @returns for each write whether it changed anything
   */
  update(writes: readonly { readonly key: Uint8Array; readonly value: Uint8Array | null }[]): boolean[] {
    const batch = new RecordBatch();
    for (const write of writes) batch.add(write);
    this.apply(batch);
    return writes.map((_, index) => batch.effective[index] === 1);
  }

  /** {@link update} with a batch, which learns what changed anything. */
  apply(batch: RecordBatch): void {
    this.#batch = batch;
    this.#root = this.#apply(this.#root, 0, batch.count, 0);
  }

  /** Makes the working version the one that {@link rollback} returns to. */
  commit(): void {
    this.#freeAll(this.#retired);
    this.#retired.clear();
    this.#fresh.clear();
    this.#committedRoot = this.#root;
  }

  /** Forgets all updates since the last commit. */
  rollback(): void {
    this.#freeAll(this.#fresh);
    this.#fresh.clear();
    this.#retired.clear();
    this.#root = this.#committedRoot;
  }

  /** Proof of presence or absence of a key in the working version, checked by `checkRecordProof` of the codec. */
  prove(key: Uint8Array): RecordProof {
    return this.#proveFrom(this.#root, key);
  }

  /** {@link prove} in the committed version: nodes of it are kept until the next commit. */
  proveCommitted(key: Uint8Array): RecordProof {
    return this.#proveFrom(this.#committedRoot, key);
  }

  #proveFrom(root: Ref, key: Uint8Array): RecordProof {
    const steps: OrdersProofStep[] = [];
    let ref = root;
    while (ref > 0) {
      const depth = this.#depths[ref]!;
      const base = ref * 4;
      const children = [0, 1, 2, 3].map((digit) => this.#childHash(this.#children[base + digit]!));
      steps.push({ depth, children });
      ref = this.#children[base + digitAt(key, 0, key.length, depth)]!;
    }
    if (ref === 0) return { steps, leafKey: null };
    const at = -ref * keyBytesMax;
    return { steps, leafKey: this.#leafKeys.slice(at, at + this.#leafKeyLengths[-ref]!) };
  }

  #childHash(ref: Ref): Uint8Array {
    return ref === 0 ? new Uint8Array(hashBytes) : this.#hashOf(ref).slice();
  }

  #hashOf(ref: Ref): Uint8Array {
    return ref > 0 ? this.#nodeHashes.at(ref) : this.#leafHashes.at(-ref);
  }

  /** The subtree with the changes [low, high) merged in, all of which belong into it. @param frame nodes above */
  #apply(ref: Ref, low: number, high: number, frame: number): Ref {
    if (low === high) return ref;
    if (ref === 0) return this.#build(low, high, frame);
    const witness = ref > 0 ? this.#witnesses[ref]! : -ref;
    const own = ref > 0 ? this.#depths[ref]! : this.#leafKeyLengths[witness]! * 4;
    // Changes are sorted, so the outer two have the shortest prefixes in common with any key.
    const first = this.#sharedWithLeaf(low, witness);
    const shared = high - low === 1 ? first : Math.min(first, this.#sharedWithLeaf(high - 1, witness));
    // Keys are prefix-free: what shares all of a leaf's key is the leaf.
    if (shared >= own) return ref < 0 ? this.#replaceLeaf(ref, low) : this.#applyInside(ref, own, low, high, frame);
    const parts = this.#parts;
    const base = frame * 4;
    parts.fill(0, base, base + 4);
    parts[base + digitAt(this.#leafKeys, witness * keyBytesMax, this.#leafKeyLengths[witness]!, shared)] = ref;
    this.#applyByDigit(shared, low, high, frame);
    return this.#join(shared, frame);
  }

  /** Changes below a node that stands where all of them pass. */
  #applyInside(ref: Ref, depth: number, low: number, high: number, frame: number): Ref {
    const children = this.#children;
    const parts = this.#parts;
    const [from, base] = [ref * 4, frame * 4];
    for (let digit = 0; digit < 4; digit++) parts[base + digit] = children[from + digit]!;
    this.#applyByDigit(depth, low, high, frame);
    // The nodes may have moved to larger arrays meanwhile.
    const before = this.#children;
    let changed = false;
    for (let digit = 0; digit < 4; digit++) changed ||= parts[base + digit] !== before[from + digit];
    if (!changed) return ref;
    this.#retired.push(ref);
    return this.#join(depth, frame);
  }

  #applyByDigit(depth: number, low: number, high: number, frame: number): void {
    const parts = this.#parts;
    for (let start = low; start < high; ) {
      const digit = this.#digitOf(start, depth);
      let end = start + 1;
      while (end < high && this.#digitOf(end, depth) === digit) end++;
      const place = frame * 4 + digit;
      parts[place] = this.#apply(parts[place]!, start, end, frame + 1);
      start = end;
    }
  }

  #build(low: number, high: number, frame: number): Ref {
    if (high - low === 1) return this.#batch.isRemoved(low) ? 0 : this.#newLeaf(low);
    const { keys, keyLengths } = this.#batch;
    const last = high - 1;
    const depth = sharedSteps(keys, low * keyBytesMax, keyLengths[low]!, keys, last * keyBytesMax, keyLengths[last]!);
    this.#parts.fill(0, frame * 4, frame * 4 + 4);
    this.#applyByDigit(depth, low, high, frame);
    return this.#join(depth, frame);
  }

  #replaceLeaf(ref: Ref, change: number): Ref {
    const batch = this.#batch;
    if (!batch.isRemoved(change)) {
      const hash = keccak256(batch.preimage(change));
      if (this.#leafHashes.is(-ref, hash)) return ref;
      this.#retired.push(ref);
      return this.#newLeaf(change, hash);
    }
    this.#retired.push(ref);
    batch.effective[change] = 1;
    return 0;
  }

  /** A node over a frame's parts; the part itself when there is only one, because a node of one child would tell of the past. */
  #join(depth: number, frame: number): Ref {
    const parts = this.#parts;
    const base = frame * 4;
    let count = 0;
    let only = 0;
    for (let digit = 0; digit < 4; digit++) {
      const part = parts[base + digit]!;
      if (part === 0) continue;
      count++;
      only = part;
    }
    return count < 2 ? only : this.#newNode(depth, base, only);
  }

  #newNode(depth: number, base: number, child: Ref): Ref {
    let node = this.#freeNodes.pop();
    if (node < 0) node = this.#nodeCount++;
    if (node >= this.#depths.length) this.#growNodes();
    this.#depths[node] = depth;
    this.#witnesses[node] = child > 0 ? this.#witnesses[child]! : -child;
    nodeBytes[2] = depth >> 8;
    nodeBytes[3] = depth & 255;
    for (let digit = 0; digit < 4; digit++) {
      const part = this.#parts[base + digit]!;
      this.#children[node * 4 + digit] = part;
      // The hash at 0 stays that of nothing.
      const { words } = part > 0 ? this.#nodeHashes : this.#leafHashes;
      const from = (part > 0 ? part : -part) * hashWords;
      const to = nodeHeader / 4 + digit * hashWords;
      for (let word = 0; word < hashWords; word++) nodeWords[to + word] = words[from + word]!;
    }
    this.#nodeHashes.bytes.set(keccak256(nodePreimage), node * hashBytes);
    this.#fresh.push(node);
    return node;
  }

  #newLeaf(change: number, hash = keccak256(this.#batch.preimage(change))): Ref {
    const batch = this.#batch;
    batch.effective[change] = 1;
    let leaf = this.#freeLeaves.pop();
    if (leaf < 0) leaf = this.#leafCount++;
    if (leaf >= this.#leafKeyLengths.length) this.#growLeaves();
    const length = batch.keyLengths[change]!;
    this.#leafKeyLengths[leaf] = length;
    const [from, to] = [change * keyBytesMax, leaf * keyBytesMax];
    for (let byte = 0; byte < length; byte++) this.#leafKeys[to + byte] = batch.keys[from + byte]!;
    this.#leafHashes.bytes.set(hash, leaf * hashBytes);
    this.#fresh.push(-leaf);
    return -leaf;
  }

  #growNodes(): void {
    const capacity = Math.max(this.#firstRoom(1024), this.#depths.length * 2);
    this.#children = grown(this.#children, capacity * 4);
    this.#depths = grown(this.#depths, capacity);
    this.#witnesses = grown(this.#witnesses, capacity);
    this.#nodeHashes = this.#nodeHashes.grown(capacity);
  }

  #growLeaves(): void {
    const capacity = Math.max(this.#firstRoom(1024), this.#leafKeyLengths.length * 2);
    this.#leafKeyLengths = grown(this.#leafKeyLengths, capacity);
    this.#leafKeys = grown(this.#leafKeys, capacity * keyBytesMax);
    this.#leafHashes = this.#leafHashes.grown(capacity);
  }

  #digitOf(change: number, step: number): number {
    const { keys, keyLengths } = this.#batch;
    return digitAt(keys, change * keyBytesMax, keyLengths[change]!, step);
  }

  /** Steps that a change's key has in common with a leaf's. */
  #sharedWithLeaf(change: number, leaf: number): number {
    const { keys, keyLengths } = this.#batch;
    const [ours, theirs] = [keyLengths[change]!, this.#leafKeyLengths[leaf]!];
    return sharedSteps(keys, change * keyBytesMax, ours, this.#leafKeys, leaf * keyBytesMax, theirs);
  }

  #freeAll(refs: IntStack): void {
    for (let index = 0; index < refs.length; index++) {
      const ref = refs.at(index);
      if (ref > 0) this.#freeNodes.push(ref);
      else this.#freeLeaves.push(-ref);
    }
  }
}

/** Hashes by number, as bytes and as words; the first is that of nothing. */
class Hashes {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;

  constructor(count = 1) {
    this.bytes = new Uint8Array(count * hashBytes);
    this.words = new Int32Array(this.bytes.buffer);
  }

  at(index: number): Uint8Array {
    return this.bytes.subarray(index * hashBytes, (index + 1) * hashBytes);
  }

  /** Whether a hash is that of a number; without a view, as leaves are compared all the time. */
  is(index: number, hash: Uint8Array): boolean {
    const { bytes } = this;
    const at = index * hashBytes;
    for (let byte = 0; byte < hashBytes; byte++) if (bytes[at + byte] !== hash[byte]) return false;
    return true;
  }

  grown(count: number): Hashes {
    const larger = new Hashes(count);
    larger.bytes.set(this.bytes);
    return larger;
  }
}

/** Two bits of a key that stands somewhere in bytes; 0 behind its end. */
const digitAt = (bytes: Uint8Array, at: number, length: number, step: number): number => {
  const index = step >> 2;
  return index < length ? (bytes[at + index]! >> (6 - 2 * (step & 3))) & 3 : 0;
};

/** Steps that two keys have in common. */
function sharedSteps(a: Uint8Array, aAt: number, aLength: number, b: Uint8Array, bAt: number, bLength: number): number {
  const length = Math.min(aLength, bLength);
  for (let index = 0; index < length; index++) {
    const difference = a[aAt + index]! ^ b[bAt + index]!;
    if (difference === 0) continue;
    return index * 4 + ((Math.clz32(difference) - 24) >> 1);
  }
  return length * 4;
}
