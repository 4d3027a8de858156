import type { RestoredSnapshot } from '@prime/chain';
import type { Evidence, ExecutionStatus, RecordWrite, StoredBlock, ValidatorSet } from '@prime/codec';
import type { StakingState } from '@prime/consensus';
import type { BlockStore, EvidenceStore, SignStateRecord, SignStateStore, Wal } from '@prime/engine';
import { createPrng, type Hash, type Height, type Prng } from '@prime/primitives';
import { blockStoreSeed, createBlockStore, type FileLayer, openSignState, openWal } from '@prime/storage';
import { SimulatedDisk } from '@prime/storage/testing';
import type { Coverage } from '../coverage.ts';
import { SimulatedDatabase } from './database.ts';
import { SnapshotFiles } from './snapshots.ts';
import type { VirtualTime } from '../time.ts';

/** Damage that a test does to a node's storage, to show that the simulation notices. */
export interface StorageDamage {
  /** Syncs of these return without having done anything. */
  readonly skipSync?: 'log' | 'signState' | 'blocks';
  /** Signatures are not recorded, or what was recorded is not read when the process starts, or own messages that only the log has are not recorded when it is replayed. */
  readonly signState?: 'unwritten' | 'unread' | 'not brought up';
  /** Priorities of proposers are lost on the way to the next height, or when the process starts. */
  readonly priorities?: 'not carried' | 'not read';
  /** Log entries of this kind (see walEntry.ts) are not written. */
  readonly unloggedKind?: number;
  /** The log of a height that was begun is not found again. */
  readonly forgetLog?: boolean;
}

/** What execution leaves: its status, and the staking state where validators may change. */
export interface SimulatedStatus extends ExecutionStatus {
  readonly staking: StakingState | null;
}

const walFolder = 'wal';
const walFiles = [0, 1, 2].map((index) => `${walFolder}/wal.${index}`);
const signStatePath = 'sign-state';
/** Smaller than on real disks, so that a run stays cheap. */
const walFileBytes = 16 << 10;

/**
 * All that survives the end of a node's process: real log, sign-state and block store over files and batches that tear and lose what was
 * not synced, and states of which the newest may go.
 */
export class NodeDisk {
  /** Whether whole files were taken away. Otherwise all that was synced is there. */
  hasLostFiles = false;
  readonly files: SimulatedDisk;
  /** Height below the oldest block in the store: above 0 where it began with a snapshot. */
  before = 0;
  readonly snapshots = new SnapshotFiles();
  /** Decided blocks in the store. */
  readonly #blocks: StoredBlock[] = [];
  /** Of simulated execution. */
  readonly states: SimulatedStatus[] = [];
  /** Of the real engines. */
  state: SimulatedDatabase;
  /** That waits for a block. */
  evidence: readonly Evidence[] = [];
  #store: SimulatedDatabase;
  /** Height up to which a power cut can not take blocks. */
  #durableHead = 0;
  /** The block that is being written; a crash decides about it. */
  #arriving: { readonly block: StoredBlock; readonly writes: readonly RecordWrite[] } | null = null;
  readonly #prng: Prng;
  readonly #damage: StorageDamage;
  readonly #seen: Coverage;

  /** Between the reading of the log and the end of its replay. */
  #isReplaying = false;
  #signed: { readonly file: Uint8Array; readonly place: SignStateRecord | null } | null = null;

  readonly #isSteady: boolean;

  /** @param isSteady never slow */
  constructor(prng: Prng, damage: StorageDamage, seen: Coverage, isSteady: boolean) {
    this.#isSteady = isSteady;
    this.#prng = prng;
    this.#damage = damage;
    this.#seen = seen;
    this.files = new SimulatedDisk(prng.fork());
    this.#store = new SimulatedDatabase(prng.fork());
    this.state = new SimulatedDatabase(prng.fork());
  }

  /** @param onDeath told when a planned crash strikes in the middle of an operation */
  open(genesisHash: Hash, onDeath: () => void): { readonly wal: Wal; readonly signState: SignStateStore } {
    const { skipSync } = this.#damage;
    const wal = openWal(walFolder, {
      genesisHash,
      files: this.#layer(onDeath, skipSync === 'log'),
      fileBytes: walFileBytes,
    });
    const signState = openSignState(signStatePath, genesisHash, this.#layer(onDeath, skipSync === 'signState'));
    return { wal: this.#damagedWal(wal), signState: this.#damagedSignState(signState) };
  }

  /** The newest signature that the sign state has after a power cut, whatever that takes. */
  get signedPlace(): SignStateRecord | null {
    const file = this.files.durable(signStatePath);
    if (file === null) return null;
    if (this.#signed?.file !== file) {
      const disk = new SimulatedDisk(createPrng(0));
      disk.put(signStatePath, file);
      this.#signed = { file, place: openSignState(signStatePath, null, disk.layer).read() };
    }
    return this.#signed.place;
  }

  /** The process has replayed its log. */
  onReplayed(): void {
    this.#isReplaying = false;
  }

  get evidenceStore(): EvidenceStore {
    return {
      read: () => this.evidence,
      write: (evidence) => {
        this.evidence = evidence;
      },
    };
  }

  /** Height of the newest block in the store. */
  get head(): number {
    return this.before + this.#blocks.length;
  }

  /** A block in the store. */
  block(height: number): StoredBlock | null {
    return this.#blocks[height - 1 - this.before] ?? null;
  }

  /** Blocks above a height, as far as they are in the store. */
  blocksAbove(height: number): readonly StoredBlock[] {
    return this.#blocks.slice(Math.max(0, height - this.before));
  }

  /** Whether a power cut leaves the block. */
  isDurable(height: Height, hash: Hash): boolean {
    return height <= this.#durableHead && this.block(height)?.hash === hash;
  }

  /** The folders of blocks and state are those of a snapshot from now on: at once and for good, as a restore puts them in place. */
  adopt(restored: RestoredSnapshot, state: SimulatedDatabase): void {
    this.#store = new SimulatedDatabase(this.#prng.fork());
    this.#store.writeNow(blockStoreSeed(restored), true);
    this.state = state;
    this.before = restored.stored.block.header.height - 1;
    this.#blocks.splice(0, this.#blocks.length, restored.stored);
    this.#durableHead = this.head;
  }

  blockStore(time: VirtualTime, isAlive: () => boolean): BlockStore {
    let appended: StoredBlock | null = null;
    const store = createBlockStore({
      location: 'blocks',
      getSync: (key) => this.#store.getSync(key),
      write: async (writes) => {
        this.#arriving = { block: appended!, writes };
        await time.sleep(this.#latency());
        if (isAlive()) this.#arrive();
        else await new Promise(() => undefined);
      },
      close: async () => undefined,
    });
    const { priorities } = this.#damage;
    const startHeight = store.head() + 1;
    return {
      head: () => store.head(),
      base: () => store.base(),
      get: (height) => store.get(height),
      heightOf: (hash) => store.heightOf(hash),
      validators(height) {
        const set = store.validators(height);
        return set !== null && priorities === 'not read' && height === startHeight ? withoutPriorities(set) : set;
      },
      append: (block: StoredBlock, next: ValidatorSet) => {
        appended = block;
        return store.append(block, priorities === 'not carried' ? withoutPriorities(next) : next);
      },
      close: () => store.close(),
    };
  }

  /** @param isPowerCut what was not synced may go as well; else only the process is gone */
  crash(isPowerCut: boolean): void {
    this.files.failAfter = null;
    if (isPowerCut) this.#powerCut();
    if (this.#prng.chance(1, 2)) this.#arrive();
    this.#arriving = null;
    this.states.length = Math.min(this.states.length, this.head);
  }

  #powerCut(): void {
    this.#seen.powerCuts += 1;
    const before = { ...this.files.faults };
    this.files.powerCut();
    for (const kind of ['droppedSectors', 'corruptedSectors'] as const)
      this.#seen[kind] += this.files.faults[kind] - before[kind];
    this.#seen.lostStates += this.state.powerCut();
    const lost = this.#store.powerCut();
    this.#seen.lostBlocks += lost;
    this.#blocks.length -= lost;
    this.#durableHead = this.head;
    // States are synced every few dozen blocks: what comes after can be executed again.
    if (this.states.length === 0 || this.#prng.chance(1, 2)) return;
    const states = this.#prng.below(Math.min(this.states.length, 8) + 1);
    this.states.length -= states;
    this.#seen.lostStates += states;
  }

  /** A home as another one is while no process works in it. */
  copyFrom(other: NodeDisk): void {
    for (const path of [signStatePath, ...walFiles]) {
      const isThere = other.files.durable(path) !== null;
      if (isThere) this.files.put(path, other.files.content(path));
      else this.files.remove(path);
    }
    this.before = other.before;
    this.#blocks.splice(0, this.#blocks.length, ...other.#blocks);
    this.states.splice(0, this.states.length, ...other.states);
    this.evidence = other.evidence;
    this.#store.copyFrom(other.#store);
    this.state.copyFrom(other.state);
    this.#durableHead = this.head;
  }

  /** The folders of blocks and state are gone; the sign state is not. */
  loseBlocks(): void {
    this.hasLostFiles = true;
    this.before = 0;
    this.#blocks.length = 0;
    this.states.length = 0;
    this.#durableHead = 0;
    this.#store = new SimulatedDatabase(this.#prng.fork());
    this.state = new SimulatedDatabase(this.#prng.fork());
  }

  /** The whole log is gone. */
  loseWal(): void {
    this.hasLostFiles = true;
    for (const path of walFiles) this.files.remove(path);
  }

  /** All that the validator remembers of its signatures is gone: whoever goes on like this is not honest any more. */
  forgetSignatures(): void {
    this.loseWal();
    this.files.remove(signStatePath);
  }

  #arrive(): void {
    if (this.#arriving === null) return;
    const { block, writes } = this.#arriving;
    this.#arriving = null;
    const sync = this.#damage.skipSync !== 'blocks';
    this.#store.writeNow(writes, sync);
    this.#blocks.push(block);
    if (sync) this.#durableHead = this.head;
  }

  #latency(): number {
    if (this.#isSteady) return 1 + this.#prng.below(3);
    return this.#prng.chance(1, 10) ? 20 + this.#prng.below(200) : 1 + this.#prng.below(5);
  }

  #layer(onDeath: () => void, isSyncSkipped: boolean): FileLayer {
    const { layer } = this.files;
    const watched =
      <Arguments extends unknown[], Result>(work: (...args: Arguments) => Result) =>
      (...args: Arguments): Result => {
        try {
          return work(...args);
        } catch (error) {
          this.#seen.tornWrites = this.#seen.tornWrites + this.#newTornWrites();
          onDeath();
          throw error;
        }
      };
    return {
      makeFolder: watched(layer.makeFolder),
      create: watched(layer.create),
      open: watched((path) => {
        const file = layer.open(path);
        if (file === null) return null;
        const { read, write, resize, sync, close } = file;
        return {
          read: watched(read),
          write: watched(write),
          resize: watched(resize),
          sync: isSyncSkipped ? () => undefined : watched(sync),
          close,
        };
      }),
    };
  }

  #tornWrites = 0;

  #newTornWrites(): number {
    const { tornWrites } = this.files.faults;
    const more = tornWrites - this.#tornWrites;
    this.#tornWrites = tornWrites;
    return more;
  }

  #damagedWal(wal: Wal): Wal {
    const { unloggedKind, forgetLog } = this.#damage;
    return {
      replay: () => {
        const log = forgetLog === true ? null : wal.replay();
        this.#isReplaying = log !== null;
        return log;
      },
      beginHeight: (height) => {
        this.#isReplaying = false;
        wal.beginHeight(height);
      },
      // The second byte is the first item of the entry's list, its kind, unless the list is long.
      append: (entry) => {
        if (unloggedKind === undefined || kindOf(entry) !== unloggedKind) wal.append(entry);
      },
      sync: () => wal.sync(),
      close: () => wal.close(),
    };
  }

  #damagedSignState(store: SignStateStore): SignStateStore {
    const { signState } = this.#damage;
    const others = {
      isSealed: () => store.isSealed(),
      unseal: () => store.unseal(),
      close: () => store.close(),
    };
    if (signState === 'unwritten') return { ...others, read: () => store.read(), write: () => undefined };
    if (signState === undefined) return store;
    if (signState === 'not brought up')
      return {
        ...others,
        read: () => store.read(),
        write: (record) => (this.#isReplaying ? undefined : store.write(record)),
      };
    let written: ReturnType<SignStateStore['read']> = null;
    return {
      ...others,
      read: () => written,
      write(record) {
        store.write(record);
        written = record;
      },
    };
  }
}

const withoutPriorities = (set: ValidatorSet): ValidatorSet => ({
  validators: set.validators.map((validator) => ({ ...validator, proposerPriority: 0n })),
});

/** Kind of a log entry: the first item of its RLP list, a small number. */
export function kindOf(entry: Uint8Array): number {
  const head = entry[0]!;
  return entry[head > 0xf7 ? 1 + head - 0xf7 : 1]!;
}
