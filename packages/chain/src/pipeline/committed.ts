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
import type { Hash, Height } from '@prime/primitives';
import type { Bonded } from '../domains/bonding.ts';
import { type PendingWrites, pendingWritesRecord } from '../domains/contractWrites.ts';
import { type ExecutedRecord, executedWrites, historyWrites } from '../history/history.ts';
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

/** What a block leaves: its delta, and all that it writes, views included. */
export async function batchOf(
  done: Done,
  options: Keeping,
): Promise<{ readonly delta: BlockDelta; readonly writes: readonly RecordWrite[] }> {
  const { block, executed, certificate, record } = done;
  const delta = deltaOf(block, executed, certificate, record.nextBaseFee);
  const records = decodeRecordFrames(executed.clob.writes);
  const writes = writesOf(done, delta, records, options.database);
  writes.push(...(await viewsOf(records, block.block.header.height, options)));
  return { delta, writes };
}

/** Everything that one block puts into the database: state, records of the order book, history, and the new head. */
const writesOf = (
  { block, executed, record, staking }: Done,
  delta: BlockDelta,
  records: readonly RecordWrite[],
  database: StateDatabase,
): RecordWrite[] => [
  ...executed.evm.writes,
  ...clobWrites(records),
  ...staking,
  ...historyWrites(delta, { actions: block.actions, records }, database),
  ...pendingWritesRecord(delta.block.header.height, executed.pending),
  ...movesBeforeWrites(delta.block.header.height, executed.evm.movesBefore, delta.transactionHashes.length),
  ...executedWrites(delta.block.header.height, record),
];

/** What contracts will read of the order book. */
const viewsOf = (
  records: readonly RecordWrite[],
  height: Height,
  { database, retention }: Keeping,
): Promise<RecordWrite[]> => orderViewWrites(database, height, records, retention.states !== null);

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
