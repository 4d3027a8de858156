import { EvmError } from '../errors.ts';

/**
 * Nodes of the Merkle Patricia trie (yellow paper, appendix D) as the batched update works on them.
 *
 * A branch has no value of its own: no key of the state, storage and receipt tries is a prefix of another one.
 */
export type TrieNode = LeafNode | ExtensionNode | BranchNode;

/** Node at the end of a key (yellow paper, appendix D); its path has one nibble in each byte. */
export interface LeafNode {
  readonly kind: 'leaf';
  /** Nibbles from this node to the end of the key. */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}
interface ExtensionNode {
  readonly kind: 'extension';
  /** At least one nibble. */
  readonly path: Uint8Array;
  child: TrieRef;
}
interface BranchNode {
  readonly kind: 'branch';
  /** 16 places, at least two of them taken. */
  readonly children: (TrieRef | null)[];
}

/** A node that is named by its hash, loaded at most once. */
export interface HashRef {
  readonly kind: 'hash';
  readonly hash: Uint8Array;
  node: TrieNode | null;
  /** Encoding of a node that an update made, until whoever writes it takes it away; such a node is always loaded. */
  unwritten: Uint8Array | null;
}

/** A node in place is either embedded (its encoding has fewer than 32 bytes) or new and has no hash yet. */
export type TrieRef = HashRef | TrieNode;

/** Refers to a stored node by its Keccak-256. */
export const hashRef = (hash: Uint8Array): HashRef => ({ kind: 'hash', hash, node: null, unwritten: null });

/** Refers to a new node. */
export const newRef = (hash: Uint8Array, node: TrieNode, unwritten: Uint8Array): HashRef => ({
  kind: 'hash',
  hash,
  node,
  unwritten,
});

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

const hashItemLength = 33;
const hashItemHeader = 0xa0;

/** Bytes of an RLP header. */
function headerLength(length: number): number {
  return length <= 55 ? 1 : length < 0x100 ? 2 : length < 0x10000 ? 3 : 4;
}

/** @returns where the payload starts */
function writeHeader(target: Uint8Array, offset: number, length: number, base: number): number {
  const size = headerLength(length);
  target[offset] = size === 1 ? base + length : base + 54 + size;
  for (let index = 1, shift = (size - 2) * 8; index < size; index++, shift -= 8)
    target[offset + index] = (length >> shift) & 255;
  return offset + size;
}

const isSingleByte = (bytes: Uint8Array): boolean => bytes.length === 1 && bytes[0]! < 0x80;
const stringLength = (bytes: Uint8Array): number =>
  isSingleByte(bytes) ? 1 : headerLength(bytes.length) + bytes.length;

function writeString(target: Uint8Array, offset: number, bytes: Uint8Array): number {
  const start = isSingleByte(bytes) ? offset : writeHeader(target, offset, bytes.length, 0x80);
  target.set(bytes, start);
  return start + bytes.length;
}

/** Where encodings of nodes go. */
export interface NodeSink {
  /** Room for an encoding of so many bytes, which is filled before the next one is asked for. */
  readonly room: (length: number) => Uint8Array;
  /** Keeps an encoding of 32 bytes or more. @returns its hash */
  readonly store: (encoded: Uint8Array) => Uint8Array;
}

/**
 * Encodes a node, its new descendants first. Each encoding of 32 bytes or more is stored and replaced by a reference in its parent, in
 * place.
 */
export function encodeNode(node: TrieNode, sink: NodeSink): Uint8Array {
  if (node.kind === 'branch') return encodeBranch(node.children, sink);
  const path = encodePath(node.path, node.kind === 'leaf');
  const sealed = node.kind === 'leaf' ? null : sealChild(node.child, sink);
  if (sealed !== null && node.kind === 'extension') node.child = sealed.ref;
  const last = node.kind === 'leaf' ? stringLength(node.value) : itemLength(sealed!);
  const length = stringLength(path) + last;
  const output = sink.room(headerLength(length) + length);
  const offset = writeString(output, writeHeader(output, 0, length, 0xc0), path);
  if (node.kind === 'leaf') writeString(output, offset, node.value);
  else writeItem(output, offset, sealed!);
  return output;
}

function encodeBranch(children: (TrieRef | null)[], sink: NodeSink): Uint8Array {
  // Nearly all children are references by now or become them: what else there is stands apart.
  let embedded: (Uint8Array | undefined)[] | null = null;
  // One byte for each empty child and for the value that a branch here never has.
  let length = 1;
  for (let index = 0; index < 16; index++) {
    const child = children[index]!;
    if (child === null) length++;
    else if (child.kind === 'hash') length += hashItemLength;
    else {
      const sealed = sealChild(child, sink);
      children[index] = sealed.ref;
      length += itemLength(sealed);
      if (sealed.ref.kind === 'hash') continue;
      embedded ??= [];
      embedded[index] = sealed.bytes;
    }
  }
  const output = sink.room(headerLength(length) + length);
  let offset = writeHeader(output, 0, length, 0xc0);
  for (let index = 0; index < 16; index++) {
    const child = children[index]!;
    if (child === null) output[offset++] = 0x80;
    else if (child.kind === 'hash') {
      output[offset] = hashItemHeader;
      output.set(child.hash, offset + 1);
      offset += hashItemLength;
    } else {
      const bytes = embedded![index]!;
      output.set(bytes, offset);
      offset += bytes.length;
    }
  }
  output[offset] = 0x80;
  return output;
}

interface SealedChild {
  readonly ref: TrieRef;
  /** The hash, or the whole encoding of an embedded node. */
  readonly bytes: Uint8Array;
}

const itemLength = ({ ref, bytes }: SealedChild): number => (ref.kind === 'hash' ? hashItemLength : bytes.length);

function writeItem(target: Uint8Array, offset: number, { ref, bytes }: SealedChild): number {
  if (ref.kind === 'hash') return writeString(target, offset, bytes);
  target.set(bytes, offset);
  return offset + bytes.length;
}

function sealChild(child: TrieRef, sink: NodeSink): SealedChild {
  if (child.kind === 'hash') return { ref: child, bytes: child.hash };
  const encoded = encodeNode(child, sink);
  if (encoded.length < 32) return { ref: child, bytes: encoded };
  const hash = sink.store(encoded);
  return { ref: newRef(hash, child, encoded), bytes: hash };
}
