import {
  accountsOfAction,
  type ActionResult,
  type BlockDelta,
  decodeEventFrames,
  decodeResultFrames,
  decodeRlp,
  decodeStoredReceipts,
  type DomainEvent,
  encodeRlp,
  type ExecutionRoots,
  frameCount,
  hashKey,
  heightKey,
  prefixedKey,
  type Receipt,
  type RecordWrite,
  type RlpItem,
  statePrefix,
  type TransactionLocation,
  type VerifiedAction,
  isRefusedAt,
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
  type TimestampMs,
  utf8ToBytes,
} from '@prime/primitives';
import { blockHashesWrite } from './blockHashes.ts';
import type { BlockRecords } from './blockRecords.ts';
import { candleWrites } from './candles.ts';
import { endedOrdersIn, endedOrderWrites } from './endedOrders.ts';

/**
 * What a committed block leaves in the state database besides state: its results, receipts, events, action results and the
 * places of its transactions. Written in the block's one batch by the pipeline, read by the gateway's readers.
 */

/** Version of the database layout; a node refuses one that it does not know. */
export const databaseFormat = 12;

/** What may be pruned: states, and everything else that a block leaves. */
export type OldestName = 'oldestState' | 'oldestBlock';

/** m | name → a single value, of the state database. */
export const metaKey = (
  name: 'genesisHash' | 'format' | 'lastApplied' | 'orderViews' | 'indexedUntil' | 'candlesSince' | OldestName,
): Uint8Array => prefixedKey(statePrefix.meta, utf8ToBytes(name));

/** Results of one executed block. */
export interface ExecutedRecord {
  readonly hash: Hash;
  /** Of the header: what shows a log or an event needs no more of the block than is here. */
  readonly timestampMs: TimestampMs;
  readonly roots: ExecutionRoots;
  readonly nextBaseFee: bigint;
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
    number(record.timestampMs),
  ]);
}

/** Undoes the encoding of {@link ExecutedRecord}; throws when the bytes are no such record. */
export function decodeExecuted(bytes: Uint8Array): ExecutedRecord {
  const items = decodeRlp(bytes);
  assert(Array.isArray(items) && items.length === 7, 'an executed-block record has seven fields');
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
    timestampMs: bigintToNumber(bytesToBigint(fields[6]!)) as TimestampMs,
  };
}

/** Writes that record an executed block, for the batch that makes it the head. */
export function executedWrites(height: Height, record: ExecutedRecord): RecordWrite[] {
  return [
    { key: heightKey(statePrefix.executed, height), value: encodeExecuted(record) },
    { key: metaKey('lastApplied'), value: number(height) },
  ];
}

/** What a block leaves beside state. */
export interface BlockHistory {
  /** What its postings are made of. */
  readonly records: BlockRecords;
  /** These and all others. */
  readonly writes: RecordWrite[];
}

/**
 * Receipts, logs, events, action results, ended orders, candles and transaction locations of a block.
 *
 * @param content actions of the block, and what it wrote of the order book
 * @param database as it was before the block
 */
export function historyOf(
  delta: BlockDelta,
  { actions, records }: { readonly actions: readonly VerifiedAction[]; readonly records: readonly RecordWrite[] },
  database: Reads,
): BlockHistory {
  const { height } = delta.block.header;
  const { receipts, logs } = delta.storedReceipts;
  const ended = endedOrdersIn(height, records);
  const hashes = blockHashesWrite(height, delta, actions.map(accountsOfAction));
  const events = eventWrites(height, delta.events);
  const writes: RecordWrite[] = [
    { key: heightKey(statePrefix.receipts, height), value: receipts },
    { key: heightKey(statePrefix.actionResults, height), value: delta.actionResults },
    hashes,
    ...events,
    ...endedOrderWrites(height, ended),
    ...candleWrites(
      {
        timestampMs: delta.block.header.timestampMs,
        parentMs: readExecuted(database, (height - 1) as Height)?.timestampMs ?? null,
        events: delta.events,
        records,
      },
      database,
    ),
    ...candlesSinceWrites(delta, database),
  ];
  if (logs !== null) writes.push({ key: heightKey(statePrefix.logs, height), value: logs });
  const locate = (kind: number) => (hash: Hash, index: number) => {
    const value = encodeRlp([number(kind), number(height), number(index)]);
    writes.push({ key: hashKey(statePrefix.transactionLocation, hash), value });
  };
  delta.transactionHashes.forEach(locate(0));
  const locateAction = locate(1);
  for (const [index, hash] of delta.actionHashes.entries())
    if (!isRepeated(delta, index, database)) locateAction(hash, index);
  return { records: { receipts, logs, events: events[0]?.value ?? null, ended, hashes: hashes.value }, writes };
}

/** Where a node begins at a later block, or began before there were candles, the trades of earlier blocks are in none. */
function candlesSinceWrites({ block: { header } }: BlockDelta, database: Reads): RecordWrite[] {
  const key = metaKey('candlesSince');
  if (database.getSync(key) !== undefined) return [];
  return [{ key, value: number(header.height === 1 ? 0 : header.timestampMs) }];
}

/**
 * Whether an action was in a block before, or earlier in this one: whoever asks for it is told of the first time. A block may hold it again, when its proposer
 * knew no better; the order book refuses it then for its nonce.
 */
function isRepeated({ actionHashes, actionResults }: BlockDelta, index: number, database: Reads): boolean {
  if (!isRefusedAt(actionResults, index, 'CLOB_NONCE')) return false;
  const hash = actionHashes[index]!;
  return actionHashes.indexOf(hash) < index || readLocation(database, hash) !== null;
}

/** Write of a block's domain events; none for a block without events. @param events encoded, see eventFrames.ts of the codec */
export const eventWrites = (height: Height, events: Uint8Array): RecordWrite[] =>
  frameCount(events) === 0 ? [] : [{ key: heightKey(statePrefix.events, height), value: events }];

/** The newest executed height, or null in an empty database. */
export function readLastApplied(database: Reads): Height | null {
  const bytes = database.getSync(metaKey('lastApplied'));
  return bytes === undefined ? null : (bigintToNumber(bytesToBigint(bytes)) as Height);
}

/** Oldest height whose state, or whose block with all that belongs to it, is kept; 0 where nothing was pruned. */
export function readOldest(database: Reads, name: OldestName): Height {
  const bytes = database.getSync(metaKey(name));
  return (bytes === undefined ? 0 : bigintToNumber(bytesToBigint(bytes))) as Height;
}

/** Write that moves an oldest height. */
export const oldestWrite = (name: OldestName, height: Height): RecordWrite => ({
  key: metaKey(name),
  value: number(height),
});

/** null for a block that is not executed yet, or whose history was pruned. */
export function readExecuted(database: Reads, height: Height): ExecutedRecord | null {
  const bytes = database.getSync(heightKey(statePrefix.executed, height));
  return bytes === undefined ? null : decodeExecuted(bytes);
}

/** Receipts with their logs. */
export function readReceipts(database: Reads, height: Height): readonly Receipt[] | null {
  const bytes = database.getSync(heightKey(statePrefix.receipts, height));
  if (bytes === undefined) return null;
  return decodeStoredReceipts({ receipts: bytes, logs: readLogs(database, height) });
}

/** Logs of a block, for decodeBlockLog; null when there are none. */
export const readLogs = (database: Reads, height: Height): Uint8Array | null =>
  database.getSync(heightKey(statePrefix.logs, height)) ?? null;

/** Domain events of a block; none also where the block is not stored here. */
export function readEvents(database: Reads, height: Height): readonly DomainEvent[] {
  const bytes = readEventFrames(database, height);
  if (bytes === null) return [];
  return decodeEventFrames(bytes);
}

/** Encodings of a block's events as frames; null when there are none. */
export const readEventFrames = (database: Reads, height: Height): Uint8Array | null =>
  database.getSync(heightKey(statePrefix.events, height)) ?? null;

/** By the place of the action in the block; null for a block without results, or whose history was pruned. */
export function readActionResults(database: Reads, height: Height): readonly ActionResult[] | null {
  const bytes = database.getSync(heightKey(statePrefix.actionResults, height));
  return bytes === undefined ? null : decodeResultFrames(bytes);
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
