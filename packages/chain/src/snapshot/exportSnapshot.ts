import { createHash } from 'node:crypto';
import {
  type CommitCertificate,
  encodeHeader,
  encodeStoredBlock,
  encodeValidatorSet,
  type Header,
  heightKey,
  ordersAddress,
  snapshotFormat,
  type SnapshotManifest,
  statePrefix,
  type StoredBlock,
  type ValidatorSet,
} from '@prime/codec';
import { type Scan, type StateDatabase } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { assert, bytesToHash, type Hash, type Height } from '@prime/primitives';
import { readExecuted } from '../history/history.ts';
import { createChunkWriter, type SnapshotRecord } from './records.ts';

/** Records of a snapshot beside those of the state database, by the first byte of their key. */
export const snapshotRecord = {
  /** B → stored block */
  block: 0x42,
  /** H | height → header; of the blocks whose hashes contracts can ask for */
  header: 0x48,
  /** V | height → validator set with proposer priorities; of the block's height and the next one */
  validators: 0x56,
} as const;

/** Blocks before the snapshot's whose hashes BLOCKHASH answers at the next height. */
export const hashesBefore = 255;

/** Kinds of records of the state database that are the state, ascending. */
const stateKinds = [
  statePrefix.account,
  statePrefix.code,
  statePrefix.clobRecord,
  statePrefix.storage,
  statePrefix.stakingRecord,
] as const;
/** Entries that are read at once. */
const portion = 512;

/** The blocks that a snapshot needs; the block store. */
export interface SnapshotBlocks {
  get(height: Height): StoredBlock | null;
  validators(height: Height): ValidatorSet | null;
}

/** One snapshot that is being read out; it can be walked through once. */
export interface SnapshotSource {
  readonly height: Height;
  /** Chunks in order; ends the walk through the database when it ends. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
  /** Of the chunks that were given out; once all were. */
  manifest(): SnapshotManifest;
}

const slotZero = `0x${'00'.repeat(32)}` as Hash;

/**
 * A snapshot of the newest committed state. What it holds is fixed by this call: the caller makes sure that no block is written during it,
 * and may go on with blocks as soon as it returns.
 *
 * @param nextCommit the certificate of the block that the next one carries: with it every node has the same snapshot; null where there is no
 *   next one
 * @param chunkBytes default: as long as the format says
 * @throws InvariantError when the blocks that it needs are not stored
 */
export function openSnapshotSource(
  database: StateDatabase,
  blocks: SnapshotBlocks,
  height: Height,
  nextCommit: () => Promise<CommitCertificate | null> = async () => null,
  chunkBytes?: number,
): SnapshotSource {
  const scan = database.scan(Uint8Array.of(stateKinds[0]), Uint8Array.of(stateKinds.at(-1)! + 1));
  const executed = readExecuted(database, height);
  const executedBytes = database.getSync(heightKey(statePrefix.executed, height));
  const ordersRoot = createAccountReader(database).slot(ordersAddress, slotZero);
  assert(executed !== null && executedBytes !== undefined, `no results are stored for height ${height}`);
  const block = blockAt(blocks, height, height);
  const history = historyRecords(blocks, height);
  const pendingKey = heightKey(statePrefix.contractWrites, height);
  const pending = database.getSync(pendingKey);
  const first: SnapshotRecord[] = [
    ...history,
    ...(pending === undefined ? [] : [{ key: pendingKey, value: pending }]),
    { key: heightKey(statePrefix.executed, height), value: executedBytes },
  ];
  const chunkHashes: Hash[] = [];
  return {
    height,
    async *chunks() {
      const hashed = (chunk: Uint8Array): Uint8Array => {
        chunkHashes.push(chunkHash(chunk));
        return chunk;
      };
      const writer = createChunkWriter(chunkBytes);
      try {
        for (const record of first) for (const chunk of writer.add(record)) yield hashed(chunk);
        for await (const records of stateRecords(scan))
          for (const record of records) for (const chunk of writer.add(record)) yield hashed(chunk);
        const certificate = (await nextCommit()) ?? block.certificate;
        const last = { key: Uint8Array.of(snapshotRecord.block), value: encodeStoredBlock({ ...block, certificate }) };
        for (const chunk of writer.add(last)) yield hashed(chunk);
        const rest = writer.end();
        if (rest !== null) yield hashed(rest);
      } finally {
        await scan.close();
      }
    },
    manifest: () => ({
      format: snapshotFormat,
      height,
      blockHash: executed.hash,
      stateRoot: executed.roots.stateRoot,
      ordersRoot,
      chunkHashes,
    }),
  };
}

/** SHA-256: native, a MiB takes a millisecond. */
export const chunkHash = (chunk: Uint8Array): Hash => bytesToHash(createHash('sha256').update(chunk).digest());

/** In portions: a turn of the event loop for each record would cost more than the record. */
async function* stateRecords(scan: Scan): AsyncGenerator<SnapshotRecord[], void, undefined> {
  for (const kind of stateKinds) {
    scan.seek(Uint8Array.of(kind));
    for (;;) {
      const entries = await scan.next(portion);
      yield entries.filter(([key]) => key[0] === kind).map(([key, value]) => ({ key, value }));
      if (entries.length === 0 || entries.at(-1)![0][0] !== kind) break;
    }
  }
}

function blockAt(blocks: SnapshotBlocks, at: number, height: Height): StoredBlock {
  const stored = blocks.get(at as Height);
  assert(stored !== null, `block ${at} is not stored, and a snapshot at ${height} needs it`);
  return stored;
}

function historyRecords(blocks: SnapshotBlocks, height: Height): SnapshotRecord[] {
  const validatorsAt = (at: number): SnapshotRecord => {
    const set = blocks.validators(at as Height);
    assert(set !== null, `the validators of height ${at} are not stored`);
    return { key: heightKey(snapshotRecord.validators, at as Height), value: encodeValidatorSet(set) };
  };
  const headers: SnapshotRecord[] = [];
  for (let at = Math.max(1, height - hashesBefore); at < height; at++) {
    const header: Header = blockAt(blocks, at, height).block.header;
    headers.push({ key: heightKey(snapshotRecord.header, at as Height), value: encodeHeader(header) });
  }
  return [...headers, validatorsAt(height), validatorsAt(height + 1)];
}
