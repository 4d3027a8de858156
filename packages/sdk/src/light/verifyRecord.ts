import { checkOrdersProof, type StateProofOfRecord } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import type { OrdersProof } from '../types/chain.ts';
import type { Hex } from '../types/primitives.ts';
import { LightClientError, reading } from './errors.ts';
import { recordKindOf } from './records.ts';
import type { RecordOf, RecordReference, VerifiedBlock, VerifiedRecord } from './types.ts';

/** A record, and the proof that a node gave for it. */
export interface VerifyRecordParameters<reference extends RecordReference = RecordReference> {
  /** What is to be proven. */
  readonly record: reference;
  /** What `getOrdersProof` gave for it. */
  readonly proof: OrdersProof;
}

/**
 * Verifies what a record of the order book was after a block, or that there was none. Pure: it asks no node. Of the proof nothing is believed that does
 * not follow from the block.
 *
 * @param block the verified block after that of the proof: its header has the state root
 * @throws LightClientError `wrong_block` when the proof is not of the block before, `wrong_proof`, `levels_not_provable`, `malformed`
 * @throws InvalidActionError for a reference that can name no record
 */
export function verifyRecord<const reference extends RecordReference>(
  block: VerifiedBlock,
  { record, proof }: VerifyRecordParameters<reference>,
): VerifiedRecord<reference> {
  const { key, read } = recordKindOf(record);
  if ('price' in record) checkLevels(block);
  const blockNumber = block.number - 1n;
  if (proof.blockNumber !== blockNumber)
    throw new LightClientError(
      'wrong_block',
      `The proof is of block ${proof.blockNumber}: it takes the verified block after it, and block ${block.number} was given.`,
      { blockNumber: proof.blockNumber },
    );
  const bytes = reading('the proof', () => toBytes(proof));
  const stateRoot = reading('the block', () => hexToBytes(block.parentStateRoot));
  const shown = reading('the proof', () => checkOrdersProof(stateRoot, key, bytes));
  if (shown.status === 'invalid')
    throw new LightClientError(
      'wrong_proof',
      `The proof does not lead from the state root of block ${blockNumber} to the record.`,
      { blockNumber },
    );
  const place = { blockNumber, blockHash: block.parentHash };
  if (shown.status === 'absent') return { ...place, present: false, record: null };
  return { ...place, present: true, record: reading('the record', () => read(shown.value)) as RecordOf<reference> };
}

/** @throws LightClientError `levels_not_provable` */
export function checkLevels({ trust }: Pick<VerifiedBlock, 'trust'>): void {
  if (trust.levelProofs) return;
  throw new LightClientError(
    'levels_not_provable',
    'Levels are no records on this network: its genesis has no clob.levelProofs.',
    {},
  );
}

function toBytes({ record, steps, accountProof }: OrdersProof): StateProofOfRecord {
  const all = (list: readonly Hex[]): Uint8Array[] => list.map((item) => hexToBytes(item));
  const slot = accountProof.storageProof[0];
  if (slot === undefined) throw new Error('it has no storage proof');
  return {
    accountProof: all(accountProof.accountProof),
    storageProof: all(slot.proof),
    steps: steps.map(({ depth, children }) => ({ depth, children: all(children) })),
    record: record === null ? null : { key: hexToBytes(record.key), value: hexToBytes(record.value) },
  };
}
