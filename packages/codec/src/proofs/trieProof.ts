import { keccak256 } from '@prime/crypto';
import { bytesEqual } from '@prime/primitives';
import { decodeRlp, type RlpItem } from '../encoding/rlp.ts';

/** What a proof shows about a key. */
export type TrieProofResult =
  | { readonly status: 'present'; readonly value: Uint8Array }
  | { readonly status: 'absent' }
  /** The nodes do not lead from the root to the key, or there is more than what leads there. */
  | { readonly status: 'invalid' };

const invalid: TrieProofResult = { status: 'invalid' };
const absent: TrieProofResult = { status: 'absent' };
/** Root of the trie without keys: keccak256 of the empty string's RLP. */
const emptyRoot = keccak256(Uint8Array.of(0x80));

const isBytes = (item: RlpItem | undefined): item is Uint8Array => ArrayBuffer.isView(item);

/**
 * Checks a Merkle Patricia proof as eth_getProof gives it (EIP-1186), with nothing but the root.
 *
 * The state and storage tries are "secure": their keys are the keccak256 hashes of addresses and of slots.
 *
 * @param root  32 bytes
 * @param key   key of the trie, hashed where the trie wants it
 * @param nodes encodings from the root down; nodes of less than 32 bytes stand inside of their parents
 */
export function checkTrieProof(root: Uint8Array, key: Uint8Array, nodes: readonly Uint8Array[]): TrieProofResult {
  if (nodes.length === 0) return bytesEqual(root, emptyRoot) ? absent : invalid;
  try {
    return walk(root, nibblesOf(key), nodes);
  } catch {
    // Bytes that are no RLP.
    return invalid;
  }
}

function walk(root: Uint8Array, path: Uint8Array, nodes: readonly Uint8Array[]): TrieProofResult {
  let expected: RlpItem = root;
  let used = 0;
  let depth = 0;
  for (;;) {
    const node = isBytes(expected) ? hashedNode(expected, nodes[used++]) : expected;
    if (node === null || isBytes(node)) return invalid;
    const step = descend(node, path, depth);
    if ('status' in step) return used === nodes.length ? step : invalid;
    expected = step.next;
    depth = step.depth;
    if (isBytes(expected) && expected.length === 0) return used === nodes.length ? absent : invalid;
  }
}

const hashedNode = (hash: Uint8Array, encoded: Uint8Array | undefined): RlpItem | null =>
  encoded !== undefined && hash.length === 32 && bytesEqual(keccak256(encoded), hash) ? decodeRlp(encoded) : null;

type Step = TrieProofResult | { readonly next: RlpItem; readonly depth: number };

function descend(node: readonly RlpItem[], path: Uint8Array, depth: number): Step {
  if (node.length === 17) {
    const child = depth < path.length ? node[path[depth]!] : undefined;
    return child === undefined ? invalid : { next: child, depth: depth + 1 };
  }
  const [encodedPath, last] = node;
  if (node.length !== 2 || !isBytes(encodedPath) || last === undefined || encodedPath.length === 0) return invalid;
  const flag = encodedPath[0]! >> 4;
  if (flag > 3) return invalid;
  const own = nibblesOf(encodedPath).subarray(flag % 2 === 1 ? 1 : 2);
  const fits = own.every((nibble, index) => path[depth + index] === nibble);
  if (flag >= 2) {
    if (!fits || depth + own.length !== path.length) return absent;
    return isBytes(last) ? { status: 'present', value: last } : invalid;
  }
  return fits ? { next: last, depth: depth + own.length } : absent;
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2);
  bytes.forEach((byte, index) => {
    nibbles[2 * index] = byte >> 4;
    nibbles[2 * index + 1] = byte & 15;
  });
  return nibbles;
}
