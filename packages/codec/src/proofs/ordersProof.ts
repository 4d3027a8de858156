import { keccak256 } from '@prime/crypto';
import { hexToBytes } from '@prime/primitives';
import { leafKeyOf, recordInLeaf } from '../records/orderPages.ts';
import type { OrdersProofStep } from '../consensus/pipelineTypes.ts';
import { checkRecordProof } from './recordProof.ts';
import { decodeRlp } from '../encoding/rlp.ts';
import { checkTrieProof, type TrieProofResult } from './trieProof.ts';

/** A proof as primeorders_getProof gives it, in bytes. Hashes have 32. */
export interface StateProofOfRecord {
  /** Nodes from the state root to the account 0x…0100. */
  readonly accountProof: readonly Uint8Array[];
  /** Nodes from that account's storage root to its slot 0. */
  readonly storageProof: readonly Uint8Array[];
  /** Nodes from the orders root to the record. */
  readonly steps: readonly OrdersProofStep[];
  /** The leaf at their end: a record, or a page of orders (orderPages.ts of the codec). */
  readonly record: { readonly key: Uint8Array; readonly value: Uint8Array } | null;
}

const ordersAccountPath = keccak256(hexToBytes(`0x${'00'.repeat(18)}0100`));
const slotZeroPath = keccak256(new Uint8Array(32));
const invalid: TrieProofResult = { status: 'invalid' };

/**
 * Says what a proof shows about a record of the order book, from nothing but a state root that the caller trusts: that of a header
 * whose certificate it checked. Pure: what a wallet or another chain needs.
 *
 * @param stateRoot 32 bytes; header N + 1 has that of block N
 * @param key as docs/protocol/orders-root.md makes it
 */
export function checkOrdersProof(stateRoot: Uint8Array, key: Uint8Array, proof: StateProofOfRecord): TrieProofResult {
  const account = checkTrieProof(stateRoot, ordersAccountPath, proof.accountProof);
  const storageRoot = account.status === 'present' ? fieldOf(account.value, 2) : null;
  if (storageRoot === null) return invalid;
  const slot = checkTrieProof(storageRoot, slotZeroPath, proof.storageProof);
  if (slot.status !== 'present') return invalid;
  const stored = decodeRlp(slot.value);
  if (!ArrayBuffer.isView(stored) || stored.length > 32) return invalid;
  const ordersRoot = new Uint8Array(32);
  ordersRoot.set(stored, 32 - stored.length);
  const shown = checkRecordProof(ordersRoot, leafKeyOf(key), proof.record, proof.steps);
  if (shown === null) return invalid;
  const value = shown === 'present' ? recordInLeaf(key, proof.record!.value) : null;
  return value === null ? { status: 'absent' } : { status: 'present', value };
}

/** A field of a list in RLP; the bytes come from a proof, which shows that they are what the chain wrote. */
function fieldOf(encoded: Uint8Array, index: number): Uint8Array | null {
  const fields = decodeRlp(encoded);
  const field = ArrayBuffer.isView(fields) ? undefined : fields[index];
  return ArrayBuffer.isView(field) ? (field as Uint8Array) : null;
}
