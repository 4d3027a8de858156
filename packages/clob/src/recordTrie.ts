import { keccak256 } from '@prime/crypto';
import { bytesToHash, compareBytes, type Hash } from '@prime/primitives';

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

/** One change of the record set, with its hash when it puts a value. */
interface Change {
  readonly key: Uint8Array;
  readonly leafHash: Uint8Array | null;
  /** Whether it changed the trie. */
  effective: boolean;
}

/** References: 0 is nothing, n > 0 the interior node n, n < 0 the leaf -n. */
type Ref = number;

const hashBytes = 32;
const nodePreimage = new Uint8Array(3 + 4 * hashBytes);
nodePreimage[0] = 1;

export interface ProofStep {
  /** Steps of two bits from the key's start. */
  readonly depth: number;
  /** Hashes of the four children, 32 zero bytes where there is none. */
  readonly children: readonly Uint8Array[];
}

/** What shows that a record is, or is not, under a root. */
export interface RecordProof {
  /** From the root down. */
  readonly steps: readonly ProofStep[];
  /** Key of the leaf at the end of the path: the asked one, or another one when it is absent; null when nothing is there. */
  readonly leafKey: Uint8Array | null;
}

export class RecordTrie {
  #root: Ref = 0;
  #committedRoot: Ref = 0;
  #children = new Int32Array(4);
  #depths = new Uint16Array(1);
  #nodeHashes = new Uint8Array(hashBytes);
  #nodeCount = 1;
  readonly #freeNodes: number[] = [];
  #leafHashes = new Uint8Array(hashBytes);
  readonly #leafKeys: Uint8Array[] = [new Uint8Array(0)];
  readonly #freeLeaves: number[] = [];
  // References made and dropped since the last commit.
  readonly #fresh: Ref[] = [];
  readonly #retired: Ref[] = [];

  root(): Hash {
    return bytesToHash(this.#root === 0 ? new Uint8Array(hashBytes) : this.#hashOf(this.#root).slice());
  }

  /**
   * Applies writes to the working version.
   *
   * @param writes sorted by key, each key once; a null value removes
   * @returns for each write whether it changed anything
   */
  update(writes: readonly { readonly key: Uint8Array; readonly value: Uint8Array | null }[]): boolean[] {
    const changes = writes.map(({ key, value }): Change => {
      return { key, leafHash: value === null ? null : leafHash(key, value), effective: false };
    });
    this.#root = this.#apply(this.#root, changes, 0, changes.length);
    return changes.map(({ effective }) => effective);
  }

  /** Makes the working version the one that {@link rollback} returns to. */
  commit(): void {
    for (const ref of this.#retired) this.#free(ref);
    this.#retired.length = 0;
    this.#fresh.length = 0;
    this.#committedRoot = this.#root;
  }

  /** Forgets all updates since the last commit. */
  rollback(): void {
    for (const ref of this.#fresh) this.#free(ref);
    this.#fresh.length = 0;
    this.#retired.length = 0;
    this.#root = this.#committedRoot;
  }

  /** Proof of presence or absence of a key in the working version, checked by {@link checkRecordProof}. */
  prove(key: Uint8Array): RecordProof {
    return this.#proveFrom(this.#root, key);
  }

  /** {@link prove} in the committed version: nodes of it are kept until the next commit. */
  proveCommitted(key: Uint8Array): RecordProof {
    return this.#proveFrom(this.#committedRoot, key);
  }

  #proveFrom(root: Ref, key: Uint8Array): RecordProof {
    const steps: ProofStep[] = [];
    let ref = root;
    while (ref > 0) {
      const depth = this.#depths[ref]!;
      const base = ref * 4;
      const children = [0, 1, 2, 3].map((digit) => this.#childHash(this.#children[base + digit]!));
      steps.push({ depth, children });
      ref = this.#children[base + digitAt(key, depth)]!;
    }
    return { steps, leafKey: ref === 0 ? null : this.#leafKeys[-ref]!.slice() };
  }

  #childHash(ref: Ref): Uint8Array {
    return ref === 0 ? new Uint8Array(hashBytes) : this.#hashOf(ref).slice();
  }

  #hashOf(ref: Ref): Uint8Array {
    return ref > 0
      ? this.#nodeHashes.subarray(ref * hashBytes, (ref + 1) * hashBytes)
      : this.#leafHashes.subarray(-ref * hashBytes, (-ref + 1) * hashBytes);
  }

  /** The subtree with the changes [low, high) merged in, all of which belong into it. */
  #apply(ref: Ref, changes: Change[], low: number, high: number): Ref {
    if (low === high) return ref;
    if (ref === 0) return this.#build(changes, low, high);
    const first = changes[low]!;
    const last = changes[high - 1]!;
    const witness = this.#leafKeys[-this.#anyLeaf(ref)]!;
    if (ref < 0 && high - low === 1 && compareBytes(first.key, witness) === 0) return this.#replaceLeaf(ref, first);
    const own = ref > 0 ? this.#depths[ref]! : stepsOf(witness);
    // Changes are sorted, so the outer two have the shortest prefixes in common with any key.
    const shared = Math.min(sharedSteps(first.key, witness), sharedSteps(last.key, witness));
    if (shared >= own) return this.#applyInside(ref, own, changes, low, high);
    const home = digitAt(witness, shared);
    const parts: Ref[] = [0, 0, 0, 0];
    parts[home] = ref;
    this.#applyByDigit(parts, shared, changes, low, high);
    return this.#join(parts, shared);
  }

  /** Changes below a node that stands where all of them pass. */
  #applyInside(ref: Ref, depth: number, changes: Change[], low: number, high: number): Ref {
    const base = ref * 4;
    const parts: Ref[] = [0, 1, 2, 3].map((digit) => this.#children[base + digit]!);
    const before = [...parts];
    this.#applyByDigit(parts, depth, changes, low, high);
    if (parts.every((part, digit) => part === before[digit])) return ref;
    this.#retired.push(ref);
    return this.#join(parts, depth);
  }

  #applyByDigit(parts: Ref[], depth: number, changes: Change[], low: number, high: number): void {
    for (let start = low; start < high; ) {
      const digit = digitAt(changes[start]!.key, depth);
      let end = start + 1;
      while (end < high && digitAt(changes[end]!.key, depth) === digit) end++;
      parts[digit] = this.#apply(parts[digit]!, changes, start, end);
      start = end;
    }
  }

  #build(changes: Change[], low: number, high: number): Ref {
    const first = changes[low]!;
    if (high - low === 1) return first.leafHash === null ? 0 : this.#newLeaf(first, first.leafHash);
    const depth = sharedSteps(first.key, changes[high - 1]!.key);
    const parts: Ref[] = [0, 0, 0, 0];
    this.#applyByDigit(parts, depth, changes, low, high);
    return this.#join(parts, depth);
  }

  #replaceLeaf(ref: Ref, change: Change): Ref {
    if (change.leafHash !== null && compareBytes(change.leafHash, this.#hashOf(ref)) === 0) return ref;
    this.#retired.push(ref);
    if (change.leafHash !== null) return this.#newLeaf(change, change.leafHash);
    change.effective = true;
    return 0;
  }

  /** A node over the parts; the part itself when there is only one, because a node of one child would tell of the past. */
  #join(parts: readonly Ref[], depth: number): Ref {
    let count = 0;
    let only = 0;
    for (const part of parts) {
      if (part === 0) continue;
      count++;
      only = part;
    }
    return count < 2 ? only : this.#newNode(parts, depth);
  }

  #newNode(parts: readonly Ref[], depth: number): Ref {
    const node = this.#freeNodes.pop() ?? this.#nodeCount++;
    if (node >= this.#depths.length) this.#growNodes();
    this.#depths[node] = depth;
    nodePreimage[1] = depth >> 8;
    nodePreimage[2] = depth & 255;
    for (let digit = 0; digit < 4; digit++) {
      const part = parts[digit]!;
      this.#children[node * 4 + digit] = part;
      const at = 3 + digit * hashBytes;
      if (part === 0) nodePreimage.fill(0, at, at + hashBytes);
      else nodePreimage.set(this.#hashOf(part), at);
    }
    this.#nodeHashes.set(keccak256(nodePreimage), node * hashBytes);
    this.#fresh.push(node);
    return node;
  }

  #newLeaf(change: Change, hash: Uint8Array): Ref {
    change.effective = true;
    const leaf = this.#freeLeaves.pop() ?? this.#leafKeys.length;
    this.#leafKeys[leaf] = change.key;
    if ((leaf + 1) * hashBytes > this.#leafHashes.length) {
      const hashes = new Uint8Array(Math.max(1024, leaf * 2) * hashBytes);
      hashes.set(this.#leafHashes);
      this.#leafHashes = hashes;
    }
    this.#leafHashes.set(hash, leaf * hashBytes);
    this.#fresh.push(-leaf);
    return -leaf;
  }

  #growNodes(): void {
    const capacity = Math.max(1024, this.#depths.length * 2);
    const children = new Int32Array(capacity * 4);
    const depths = new Uint16Array(capacity);
    const hashes = new Uint8Array(capacity * hashBytes);
    children.set(this.#children);
    depths.set(this.#depths);
    hashes.set(this.#nodeHashes);
    this.#children = children;
    this.#depths = depths;
    this.#nodeHashes = hashes;
  }

  /** Some leaf of the subtree: all of them agree up to the subtree's depth. */
  #anyLeaf(ref: Ref): Ref {
    let at = ref;
    while (at > 0) {
      const base = at * 4;
      let digit = 0;
      while (this.#children[base + digit] === 0) digit++;
      at = this.#children[base + digit]!;
    }
    return at;
  }

  #free(ref: Ref): void {
    if (ref > 0) this.#freeNodes.push(ref);
    else this.#freeLeaves.push(-ref);
  }
}

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
  steps: readonly ProofStep[],
): 'present' | 'absent' | null {
  let expected = root;
  let above = -1;
  for (const { depth, children } of steps) {
    if (depth <= above || children.length !== 4) return null;
    if (compareBytes(nodeHash(depth, children), expected) !== 0) return null;
    above = depth;
    expected = children[digitAt(key, depth)]!;
  }
  if (record === null) return expected.every((byte) => byte === 0) ? 'absent' : null;
  if (compareBytes(leafHash(record.key, record.value), expected) !== 0) return null;
  return compareBytes(record.key, key) === 0 ? 'present' : 'absent';
}

function nodeHash(depth: number, children: readonly Uint8Array[]): Uint8Array {
  const preimage = new Uint8Array(3 + 4 * hashBytes);
  preimage.set([1, depth >> 8, depth & 255]);
  children.forEach((child, digit) => {
    preimage.set(child.subarray(0, hashBytes), 3 + digit * hashBytes);
  });
  return keccak256(preimage);
}

const stepsOf = (key: Uint8Array): number => key.length * 4;
/** Two bits of the key; 0 behind its end. */
const digitAt = (key: Uint8Array, step: number): number => ((key[step >> 2] ?? 0) >> (6 - 2 * (step & 3))) & 3;

/** Steps that two keys have in common. */
function sharedSteps(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = a[index]! ^ b[index]!;
    if (difference === 0) continue;
    return index * 4 + ((Math.clz32(difference) - 24) >> 1);
  }
  return length * 4;
}
