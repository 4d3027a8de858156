import {
  type ActionResult,
  type BlockDelta,
  decodeActionResults,
  decodeEvents,
  decodeReceipts,
  decodeRlp,
  type DomainEvent,
  encodeActionResults,
  encodeEvents,
  encodeReceipts,
  encodeRlp,
  type ExecutionRoots,
  hashKey,
  heightKey,
  prefixedKey,
  type Receipt,
  type RecordWrite,
  type RlpItem,
  statePrefix,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import {
  assert,
  bigintToBytes,
  bigintToNumber,
  bytesToBigint,
  bytesToHash,
  type Hash,
  type Height,
  hexToBytes,
  utf8ToBytes,
} from '@prime/primitives';

/**
 * What a committed block leaves in the state database besides state: its results, receipts, events, action results and the
 * places of its transactions. Written in the block's one batch by the pipeline, read by the gateway's readers.
 */

/** Version of the database layout; a node refuses one that it does not know. */
export const databaseFormat = 1;

export const metaKey = (name: 'genesisHash' | 'format' | 'lastApplied'): Uint8Array =>
  prefixedKey(statePrefix.meta, utf8ToBytes(name));

/** Results of one executed block. */
export interface ExecutedRecord {
  readonly hash: Hash;
  readonly roots: ExecutionRoots;
  readonly nextBaseFee: bigint;
}

export interface TransactionLocation {
  readonly kind: 'transaction' | 'action';
  readonly height: Height;
  readonly index: number;
}

type Reads = Pick<StateDatabase, 'getSync'>;

const number = (value: number): Uint8Array => bigintToBytes(BigInt(value));
const bytesOf = (item: RlpItem | undefined): Uint8Array => {
  assert(item instanceof Uint8Array || ArrayBuffer.isView(item), 'a database record has a list where bytes belong');
  return item as Uint8Array;
};

function encodeExecuted(record: ExecutedRecord): Uint8Array {
  const { stateRoot, receiptsRoot, eventsRoot, gasUsed } = record.roots;
  return encodeRlp([
    hexToBytes(record.hash),
    hexToBytes(stateRoot),
    hexToBytes(receiptsRoot),
    hexToBytes(eventsRoot),
    bigintToBytes(gasUsed),
    bigintToBytes(record.nextBaseFee),
  ]);
}

function decodeExecuted(bytes: Uint8Array): ExecutedRecord {
  const items = decodeRlp(bytes);
  assert(Array.isArray(items) && items.length === 6, 'an executed-block record has six fields');
  const fields = items.map((item) => bytesOf(item));
  return {
    hash: bytesToHash(fields[0]!),
    roots: {
      stateRoot: bytesToHash(fields[1]!),
      receiptsRoot: bytesToHash(fields[2]!),
      eventsRoot: bytesToHash(fields[3]!),
      gasUsed: bytesToBigint(fields[4]!),
    },
    nextBaseFee: bytesToBigint(fields[5]!),
  };
}

/** Writes that record an executed block, for the batch that makes it the head. */
export function executedWrites(height: Height, record: ExecutedRecord): RecordWrite[] {
  return [
    { key: heightKey(statePrefix.executed, height), value: encodeExecuted(record) },
    { key: metaKey('lastApplied'), value: number(height) },
  ];
}

/** Writes of receipts, events, action results and transaction locations of a block. */
export function historyWrites(delta: BlockDelta): RecordWrite[] {
  const { height } = delta.block.header;
  const writes: RecordWrite[] = [
    { key: heightKey(statePrefix.receipts, height), value: encodeReceipts(delta.receipts) },
    { key: heightKey(statePrefix.events, height), value: encodeEvents(delta.events) },
    { key: heightKey(statePrefix.actionResults, height), value: encodeActionResults(delta.actionResults) },
  ];
  const locate = (kind: number) => (hash: Hash, index: number) => {
    const value = encodeRlp([number(kind), number(height), number(index)]);
    writes.push({ key: hashKey(statePrefix.transactionLocation, hash), value });
  };
  delta.transactionHashes.forEach(locate(0));
  delta.actionHashes.forEach(locate(1));
  return writes;
}

/** The newest executed height, or null in an empty database. */
export function readLastApplied(database: Reads): Height | null {
  const bytes = database.getSync(metaKey('lastApplied'));
  return bytes === undefined ? null : (bigintToNumber(bytesToBigint(bytes)) as Height);
}

export function readExecuted(database: Reads, height: Height): ExecutedRecord | null {
  const bytes = database.getSync(heightKey(statePrefix.executed, height));
  return bytes === undefined ? null : decodeExecuted(bytes);
}

export function readReceipts(database: Reads, height: Height): readonly Receipt[] | null {
  const bytes = database.getSync(heightKey(statePrefix.receipts, height));
  return bytes === undefined ? null : decodeReceipts(bytes);
}

export function readEvents(database: Reads, height: Height): readonly DomainEvent[] | null {
  const bytes = database.getSync(heightKey(statePrefix.events, height));
  return bytes === undefined ? null : decodeEvents(bytes);
}

export function readActionResults(database: Reads, height: Height): readonly ActionResult[] | null {
  const bytes = database.getSync(heightKey(statePrefix.actionResults, height));
  return bytes === undefined ? null : decodeActionResults(bytes);
}

/** Where a transaction or action stands; null when no committed block has it. */
export function readLocation(database: Reads, hash: Hash): TransactionLocation | null {
  const bytes = database.getSync(hashKey(statePrefix.transactionLocation, hash));
  if (bytes === undefined) return null;
  const items = decodeRlp(bytes);
  assert(Array.isArray(items) && items.length === 3, 'a location record has three fields');
  const [kind, height, index] = items.map((item) => bigintToNumber(bytesToBigint(bytesOf(item))));
  return { kind: kind === 0 ? 'transaction' : 'action', height: height as Height, index: index! };
}
