import { createClobEngine } from '@prime/clob';
import {
  decodeRecordFrames,
  type ExecutionStatus,
  eventsRoot,
  type Genesis,
  genesisHash,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import { emptyReceiptsRoot, genesisState, type StateDatabase } from '@prime/evm';
import {
  assert,
  bigintToBytes,
  bigintToNumber,
  bytesToBigint,
  bytesToHash,
  type Hash,
  type Height,
  hexToBytes,
} from '@prime/primitives';
import { ChainError } from '../errors.ts';
import { readable } from './readable.ts';
import {
  databaseFormat,
  type ExecutedRecord,
  eventWrites,
  executedWrites,
  metaKey,
  readExecuted,
  readLastApplied,
} from '../history/history.ts';
import { checkPendingWrites } from '../domains/contractWrites.ts';
import { ensureOrderViews, orderViewsSince } from '../orderViews/rebuildViews.ts';
import { orderViewWrites } from '../orderViews/orderHistory.ts';
import { clobWrites } from './committed.ts';
import type { ClobPort } from '../ports.ts';
import { stakingGenesis } from '../domains/staking.ts';

/** Records handed to the order book thread in one call. */
const restoreChunkRecords = 10_000;

/**
 * Brings both domains to the newest committed state: writes genesis into an empty database, otherwise rebuilds the order book
 * from its records.
 *
 * @throws ChainError `CHAIN_GENESIS_MISMATCH`, `CHAIN_FORMAT_UNKNOWN`, `CHAIN_ORDERS_ROOT_MISMATCH`,
 * `CHAIN_CONTRACT_WRITES_MISMATCH`, `CHAIN_STATE_UNREADABLE`
 */
export async function openChain(options: {
  readonly genesis: Genesis;
  readonly database: StateDatabase;
  readonly clob: ClobPort;
  /** The orders root that the state at the head commits to: slot 0 of 0x…0100. */
  readonly committedOrdersRoot: () => Hash;
}): Promise<ExecutionStatus> {
  const { genesis, database, clob } = options;
  const height = readLastApplied(database);
  if (height === null) return writeGenesis(genesis, database, clob);
  checkOrigin(database, genesis);
  const rebuilt = await readable('order book', async () => {
    await restoreClob(database, clob);
    return clob.ordersRoot();
  });
  const stored = options.committedOrdersRoot();
  if (rebuilt !== stored)
    throw new ChainError(`the order book's records give root ${rebuilt}, the state says ${stored}`, {
      code: 'CHAIN_ORDERS_ROOT_MISMATCH',
      stored,
      rebuilt,
    });
  checkPendingWrites(database, height);
  await ensureOrderViews(database, height);
  const record = readExecuted(database, height);
  assert(record !== null, `no results are stored for the last applied height ${height}`);
  return statusOf(height, record);
}

const statusOf = (height: Height, { hash, roots, nextBaseFee }: ExecutedRecord): ExecutionStatus => ({
  height,
  hash,
  roots,
  nextBaseFee,
});

async function writeGenesis(genesis: Genesis, database: StateDatabase, clob: ClobPort): Promise<ExecutionStatus> {
  const outcome = await clob.genesis(genesis.markets);
  const records = decodeRecordFrames(outcome.writes);
  const staking = stakingGenesis(genesis);
  const { stateRoot, writes } = await genesisState(genesis, outcome.ordersRoot, staking?.root ?? null);
  const height = 0 as Height;
  const record = genesisRecord(genesis, stateRoot, outcome.events);
  const all = [
    ...writes,
    ...clobWrites(records),
    ...(staking?.writes ?? []),
    ...(await orderViewWrites(database, height, records, false)),
    orderViewsSince(height),
    ...originWrites(genesis, record, outcome.events),
  ];
  await database.write(all, { sync: true });
  await clob.commit();
  return statusOf(height, record);
}

/** What a database whose state is of a later block has of genesis: who it belongs to, its results and events. */
export async function genesisHistory(genesis: Genesis): Promise<readonly RecordWrite[]> {
  const outcome = createClobEngine(genesis.clob, genesis.actions).genesis(genesis.markets);
  const staking = stakingGenesis(genesis);
  const { stateRoot } = await genesisState(genesis, outcome.ordersRoot, staking?.root ?? null);
  return originWrites(genesis, genesisRecord(genesis, stateRoot, outcome.events), outcome.events);
}

const genesisRecord = (genesis: Genesis, stateRoot: Hash, events: Uint8Array): ExecutedRecord => ({
  hash: genesisHash(genesis),
  timestampMs: genesis.timestampMs,
  roots: { stateRoot, receiptsRoot: emptyReceiptsRoot, eventsRoot: eventsRoot(events), gasUsed: 0n },
  nextBaseFee: genesis.evm.initialBaseFee,
});

const originWrites = (genesis: Genesis, record: ExecutedRecord, events: Uint8Array): readonly RecordWrite[] => [
  { key: metaKey('genesisHash'), value: hexToBytes(genesisHash(genesis)) },
  { key: metaKey('format'), value: bigintToBytes(BigInt(databaseFormat)) },
  ...eventWrites(0 as Height, events),
  ...executedWrites(0 as Height, record),
];

/** @throws ChainError `CHAIN_FORMAT_UNKNOWN`, `CHAIN_GENESIS_MISMATCH` */
export function checkOrigin(database: StateDatabase, genesis: Genesis): void {
  const format = bigintToNumber(bytesToBigint(database.getSync(metaKey('format')) ?? new Uint8Array(0)));
  if (format !== databaseFormat)
    throw new ChainError(`the state database has format ${format}, this program knows ${databaseFormat}`, {
      code: 'CHAIN_FORMAT_UNKNOWN',
      found: format,
    });
  const stored = bytesToHash(database.getSync(metaKey('genesisHash')) ?? new Uint8Array(32));
  const configured = genesisHash(genesis);
  if (stored !== configured)
    throw new ChainError(`the state database belongs to genesis ${stored}, the configured one is ${configured}`, {
      code: 'CHAIN_GENESIS_MISMATCH',
      stored,
      configured,
    });
}

/** Gives an order book the records of the newest committed block. */
export async function restoreClob(database: StateDatabase, clob: ClobPort): Promise<void> {
  let chunk: RecordWrite[] = [];
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.clobRecord))) {
    chunk.push({ key: key.slice(1), value });
    if (chunk.length < restoreChunkRecords) continue;
    await clob.restore(chunk);
    chunk = [];
  }
  await clob.restore(chunk);
}
