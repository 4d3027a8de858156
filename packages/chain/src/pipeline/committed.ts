import type { EncodedOutcome } from '@prime/clob';
import {
  type BlockDelta,
  type CommitCertificate,
  decodeRecordFrames,
  encodeStoredReceipts,
  type ExecutableBlock,
  type ExecutionRoots,
  prefixedKey,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import type { EvmBlock, EvmOutcome, StateDatabase } from '@prime/evm';
import type { Hash } from '@prime/primitives';
import type { Bonded } from '../domains/bonding.ts';
import { type PendingWrites, pendingWritesRecord } from '../domains/contractWrites.ts';
import type { BlockRecords } from '../history/blockRecords.ts';
import { type ExecutedRecord, executedWrites, historyOf } from '../history/history.ts';
import { movesBeforeWrites } from './movesBefore.ts';
import { orderViewWrites } from '../orderViews/orderHistory.ts';
import type { Retention } from '../history/pruner.ts';

/** A block that was executed, on an overlay. */
export interface Executed {
  readonly hash: Hash;
  readonly block: EvmBlock;
  readonly evm: EvmOutcome;
  readonly clob: EncodedOutcome;
  /** What its contracts leave to the next block. */
  readonly pending: PendingWrites;
  readonly bonded: Bonded;
  readonly roots: ExecutionRoots;
}

/** A block that was executed and is committed now. */
export interface Done {
  readonly block: ExecutableBlock;
  readonly executed: Executed;
  readonly certificate: CommitCertificate;
  readonly record: ExecutedRecord;
  /** Its writes. */
  readonly staking: readonly RecordWrite[];
}

/** Where it goes, and how much of the past is kept. */
interface Keeping {
  readonly database: StateDatabase;
  readonly retention: Retention;
}

/** What a block leaves. */
export interface Batch {
  readonly delta: BlockDelta;
  /** All that it writes, views included. */
  readonly writes: readonly RecordWrite[];
  /** What of it postings are made of. */
  readonly records: BlockRecords;
}

/** What a block leaves. */
export async function batchOf(done: Done, { database, retention }: Keeping): Promise<Batch> {
  const { block, executed, certificate, record, staking } = done;
  const delta = deltaOf(block, executed, certificate, record.nextBaseFee);
  const { height } = delta.block.header;
  const changes = decodeRecordFrames(executed.clob.writes);
  const history = historyOf(delta, { actions: block.actions, records: changes }, database);
  const writes = [
    ...executed.evm.writes,
    ...clobWrites(changes),
    ...staking,
    ...history.writes,
    ...pendingWritesRecord(height, executed.pending),
    ...movesBeforeWrites(height, executed.evm.movesBefore, delta.transactionHashes.length),
    ...executedWrites(height, record),
    ...(await orderViewWrites(database, height, changes, retention.states !== null)),
  ];
  return { delta, writes, records: history.records };
}

/** Records of the order book under their prefix in the state database. */
export const clobWrites = (writes: readonly RecordWrite[]): RecordWrite[] =>
  writes.map(({ key, value }) => ({ key: prefixedKey(statePrefix.clobRecord, key), value }));

function deltaOf(
  block: ExecutableBlock,
  executed: Executed,
  certificate: CommitCertificate,
  nextBaseFeeOfBlock: bigint,
): BlockDelta {
  return {
    block: block.block,
    hash: block.hash,
    certificate,
    roots: executed.roots,
    transactionHashes: block.transactions.map(({ hash }) => hash),
    actionHashes: block.actions.map(({ hash }) => hash),
    receipts: executed.evm.receipts,
    storedReceipts: encodeStoredReceipts(executed.evm.receipts),
    actionResults: executed.bonded.results,
    events: executed.bonded.events,
    accounts: executed.evm.accounts,
    clobRecords: executed.clob.writes,
    nextBaseFee: nextBaseFeeOfBlock,
  };
}
