import {
  decodeHeader,
  decodeStakingRecords,
  decodeStoredBlock,
  decodeValidatorSet,
  type ExecutionRoots,
  type Genesis,
  type Header,
  headerHash,
  heightOfKey,
  nativeTransactionHash,
  ordersAddress,
  type RecordWrite,
  snapshotFormat,
  type SnapshotManifest,
  stakingAddress,
  stakingRoot,
  statePrefix,
  type StoredBlock,
  type ValidatorSet,
  validatorsHash,
} from '@prime/codec';
import { createClobEngine } from '@prime/clob';
import { keccakHex } from '@prime/crypto';
import { createStateBuilder, type StateBuilder, type StateDatabase } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { type Hash, type Height, isPrimeError } from '@prime/primitives';
import { checkPendingWrites } from '../domains/contractWrites.ts';
import { ChainError } from '../errors.ts';
import { blockHashesWrite } from '../history/blockHashes.ts';
import { decodeExecuted, type ExecutedRecord, executedWrites, oldestWrite } from '../history/history.ts';
import { genesisHistory } from '../pipeline/open.ts';
import { chunkHash, hashesBefore, snapshotRecord } from './exportSnapshot.ts';
import { createRecordReader, type SnapshotRecord } from './records.ts';
import { isWholeBlock } from '../pipeline/wholeBlock.ts';

/** What a restored node begins with, for its block store. */
export interface RestoredSnapshot {
  readonly stored: StoredBlock;
  /** Of the snapshot's height. */
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
  readonly roots: ExecutionRoots;
  readonly nextBaseFee: bigint;
}

/**
 * Rebuilds a state database from the chunks of a snapshot.
 *
 * All is computed again: the tries from accounts and storage, the orders root from the order book's records, hashes of blocks from their
 * headers. What comes out has the state root of the manifest, or nothing comes out. Whether that root is one of the chain is for the
 * caller to know: from the header of the next block, or because the snapshot is its own.
 */
export interface SnapshotRestore {
  /** Takes the next chunk. @throws ChainError `CHAIN_SNAPSHOT_REFUSED` */
  add(chunk: Uint8Array): Promise<void>;
  /** @throws ChainError `CHAIN_SNAPSHOT_REFUSED` */
  finish(): Promise<RestoredSnapshot>;
}

const slotZero = `0x${'00'.repeat(32)}` as Hash;

/** @param database empty */
export function createSnapshotRestore(
  database: StateDatabase,
  genesis: Genesis,
  manifest: SnapshotManifest,
): SnapshotRestore {
  if (manifest.format !== snapshotFormat)
    throw refused(`format ${manifest.format} is unknown, this program knows ${snapshotFormat}`);
  return new Restore(database, genesis, manifest);
}

const refused = (reason: string, cause?: unknown): ChainError =>
  new ChainError(`the snapshot is refused: ${reason}`, { code: 'CHAIN_SNAPSHOT_REFUSED', reason }, { cause });

class Restore implements SnapshotRestore {
  readonly #database: StateDatabase;
  readonly #genesis: Genesis;
  readonly #manifest: SnapshotManifest;
  readonly #state: StateBuilder;
  readonly #clob;
  readonly #records = createRecordReader();
  #chunks = 0;
  #block: StoredBlock | null = null;
  #executed: ExecutedRecord | null = null;
  readonly #headers = new Map<Height, Header>();
  readonly #validators = new Map<Height, ValidatorSet>();
  readonly #orders: SnapshotRecord[] = [];
  readonly #staking: SnapshotRecord[] = [];

  constructor(database: StateDatabase, genesis: Genesis, manifest: SnapshotManifest) {
    this.#database = database;
    this.#genesis = genesis;
    this.#manifest = manifest;
    this.#state = createStateBuilder(database, manifest.height);
    this.#clob = createClobEngine(genesis.clob, genesis.actions);
  }

  async add(chunk: Uint8Array): Promise<void> {
    const expected = this.#manifest.chunkHashes[this.#chunks];
    if (expected === undefined) throw refused('there are more chunks than the manifest names');
    if (chunkHash(chunk) !== expected) throw refused(`chunk ${this.#chunks} is not the one of the manifest`);
    this.#chunks += 1;
    await this.#guarded(async () => {
      for (const { key, value } of this.#records.add(chunk)) await this.#take(key, value);
    });
  }

  finish(): Promise<RestoredSnapshot> {
    return this.#guarded(() => this.#finish());
  }

  async #finish(): Promise<RestoredSnapshot> {
    const { height, stateRoot, ordersRoot, chunkHashes } = this.#manifest;
    if (this.#chunks !== chunkHashes.length || this.#records.rest > 0) throw refused('it is not complete');
    const stored = this.#block;
    const executed = this.#executed;
    const validators = this.#validators.get(height);
    const nextValidators = this.#validators.get((height + 1) as Height);
    if (stored === null || executed === null || validators === undefined || nextValidators === undefined)
      throw refused('its block, results or validators are missing');
    await this.#writeOrders();
    const builtState = await this.#state.finish();
    if (builtState !== stateRoot) throw refused(`its records give state root ${builtState}, it says ${stateRoot}`);
    const builtOrders = asOrderBook(() => this.#clob.ordersRoot());
    const committed = createAccountReader(this.#database).slot(ordersAddress, slotZero);
    if (builtOrders !== ordersRoot || committed !== ordersRoot)
      throw refused(`its order records give root ${builtOrders}, it says ${ordersRoot}, the state ${committed}`);
    await this.#writeStaking();
    checkPendingWrites(this.#database, height);
    this.#checkBlock(stored, executed, validators, nextValidators);
    await this.#writeHistory(stored, executed);
    const { roots, nextBaseFee } = executed;
    return { stored, validators, nextValidators, roots, nextBaseFee };
  }

  async #take(key: Uint8Array, value: Uint8Array): Promise<void> {
    switch (key[0]) {
      case snapshotRecord.block:
        this.#block = decodeStoredBlock(value);
        return;
      case snapshotRecord.header:
        this.#headers.set(this.#heightIn(key, -hashesBefore, -1), decodeHeader(value));
        return;
      case snapshotRecord.validators:
        this.#validators.set(this.#heightIn(key, 0, 1), decodeValidatorSet(value));
        return;
      case statePrefix.contractWrites:
        if (heightOfKey(key) !== this.#manifest.height) throw refused('it has what contracts left to another block');
        return this.#database.write([{ key, value }], { sync: false });
      case statePrefix.executed:
        this.#executed = asResults(value);
        return;
      case statePrefix.clobRecord:
        this.#orders.push({ key, value });
        return;
      case statePrefix.stakingRecord:
        this.#staking.push({ key, value });
        return;
      default:
        return this.#state.add(key, value);
    }
  }

  /** What is kept until the end is bounded: a stranger could fill the memory with other heights. */
  #heightIn(key: Uint8Array, from: number, to: number): Height {
    const at = heightOfKey(key);
    const { height } = this.#manifest;
    if (at < height + from || at > height + to) throw refused(`it has a record of height ${at}, which is of no use`);
    return at;
  }

  /** The views that follow from them are made when the chain is opened. */
  async #writeOrders(): Promise<void> {
    asOrderBook(() => this.#clob.restore(this.#orders.map(({ key, value }) => [key.slice(1), value] as const)));
    for (let from = 0; from < this.#orders.length; from += recordsPerWrite)
      await this.#database.write(this.#orders.slice(from, from + recordsPerWrite), { sync: false });
  }

  async #writeStaking(): Promise<void> {
    const committed = createAccountReader(this.#database).slot(stakingAddress, slotZero);
    const isStaked = this.#genesis.staking !== undefined;
    if (!isStaked && this.#staking.length > 0) throw refused('it has staking records, and the chain has no staking');
    if (!isStaked) return;
    const built = stakingRoot(decodeStakingRecords(this.#staking.map(({ key, value }) => [key.slice(1), value])));
    if (built !== committed) throw refused(`its staking records give root ${built}, the state says ${committed}`);
    await this.#database.write(this.#staking, { sync: false });
  }

  #checkBlock(stored: StoredBlock, executed: ExecutedRecord, validators: ValidatorSet, next: ValidatorSet): void {
    const { height, blockHash, stateRoot } = this.#manifest;
    const { block, hash } = stored;
    const { header } = block;
    if (header.height !== height || hash !== blockHash || executed.hash !== hash)
      throw refused('its block is another one than it says');
    if (executed.roots.stateRoot !== stateRoot || executed.timestampMs !== header.timestampMs)
      throw refused('its results are not those of its block');
    if (!isWholeBlock(block)) throw refused('what its block holds is not what the header says');
    if (
      validatorsHash(validators.validators) !== header.validatorsHash ||
      validatorsHash(next.validators) !== header.nextValidatorsHash
    )
      throw refused('its validators are not those of its block');
    let expected = header.parentHash;
    for (let at = height - 1; at >= Math.max(1, height - hashesBefore); at--) {
      const before = this.#headers.get(at as Height);
      if (before === undefined || headerHash(before) !== expected)
        throw refused(`its header ${at} is wrong or missing`);
      expected = before.parentHash;
    }
  }

  /** Everything of the past that execution and the readers look at; one write that makes the database one of a node. */
  async #writeHistory(stored: StoredBlock, executed: ExecutedRecord): Promise<void> {
    const { height } = this.#manifest;
    const { block } = stored;
    let writes: RecordWrite[] = [...(await genesisHistory(this.#genesis))];
    let next = block.header;
    for (let at = height - 1; at >= Math.max(1, height - hashesBefore); at--) {
      const header = this.#headers.get(at as Height)!;
      const record = {
        hash: next.parentHash,
        timestampMs: header.timestampMs,
        roots: next.parentResults,
        nextBaseFee: next.baseFee,
      };
      writes = [...writes, ...executedWrites(at as Height, record)];
      next = header;
    }
    const hashes = {
      transactionHashes: block.transactions.map(keccakHex),
      actionHashes: block.actions.map(nativeTransactionHash),
    };
    writes.push(
      // This block's index is not kept, as its receipts are not.
      blockHashesWrite(height, hashes, []),
      oldestWrite('oldestState', height),
      oldestWrite('oldestBlock', (height + 1) as Height),
      ...executedWrites(height, executed),
    );
    await this.#database.write(writes, { sync: true });
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isPrimeError(error) || !refusals.test(error.code)) throw error;
      throw refused(error.message, error);
    }
  }
}
const recordsPerWrite = 10_000;
const refusals = /^(?:CODEC_|CHAIN_CONTRACT_WRITES_MISMATCH|EVM_STATE_REFUSED|CLOB_|HEX_|INTEGER_)/;

/** A node's own records are what it wrote; those of a stranger may be anything. */
function asResults(value: Uint8Array): ExecutedRecord {
  try {
    return decodeExecuted(value);
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    throw refused(`its results can not be read: ${error.message}`, error);
  }
}

/** The order book trusts its own records; those of a stranger may break any of its invariants, and then they are no order book. */
function asOrderBook<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refused(`its order records are those of no order book: ${String(error)}`, error);
  }
}
