import type { Evidence, ExecutionStatus, StoredBlock, ValidatorSet } from '@prime/codec';
import type { StakingState } from '@prime/consensus';
import type { BlockStore, EvidenceStore, SignStateStore, Wal } from '@prime/engine';
import type { Hash, Height, Prng } from '@prime/primitives';
import { type FileLayer, openSignState, openWal } from '@prime/storage';
import { SimulatedDisk } from '@prime/storage/testing';
import type { VirtualTime } from './time.ts';

/** Damage that a test does to a node's storage, to show that the simulation notices. */
export interface StorageDamage {
  /** Syncs of files return without having done anything. */
  readonly skipSync?: boolean;
  /** Signatures are not recorded. */
  readonly skipSignState?: boolean;
  /** Log entries of this kind (see walEntry.ts) are not written. */
  readonly unloggedKind?: number;
  /** The log of a height that was begun is not found again. */
  readonly forgetLog?: boolean;
  /** A block counts as stored before it is. */
  readonly earlyBlocks?: boolean;
}

/** What execution leaves: its status, and the staking state where validators may change. */
export interface SimulatedStatus extends ExecutionStatus {
  readonly staking: StakingState | null;
}

const walFolder = 'wal';
const signStatePath = 'sign-state';
/** Smaller than on real disks, so that a run stays cheap. */
const walFileBytes = 16 << 10;

/**
 * All that survives the end of a node's process: real log and sign-state code over files that tear and lose what was not synced,
 * blocks that are there as a whole or not, and execution states of which the newest may go.
 */
export class NodeDisk {
  /** Whether whole files were taken away. Otherwise all that was synced is there. */
  hasLostFiles = false;
  readonly files: SimulatedDisk;
  /** Decided blocks that are durable. */
  readonly blocks: StoredBlock[] = [];
  readonly states: SimulatedStatus[] = [];
  /** That waits for a block. */
  evidence: readonly Evidence[] = [];
  /** The block that is being written; a crash decides about it. */
  #arriving: { readonly block: StoredBlock; readonly next: ValidatorSet } | null = null;
  readonly #validators = new Map<Height, ValidatorSet>();
  readonly #prng: Prng;
  readonly #damage: StorageDamage;

  constructor(prng: Prng, damage: StorageDamage) {
    this.#prng = prng;
    this.#damage = damage;
    this.files = new SimulatedDisk(prng.fork());
  }

  /** @param onDeath told when a planned crash strikes in the middle of an operation */
  open(genesisHash: Hash, onDeath: () => void): { readonly wal: Wal; readonly signState: SignStateStore } {
    const layer = this.#layer(onDeath);
    const wal = openWal(walFolder, { genesisHash, files: layer, fileBytes: walFileBytes });
    const signState = openSignState(signStatePath, layer);
    return { wal: this.#damagedWal(wal), signState: this.#damagedSignState(signState) };
  }

  get evidenceStore(): EvidenceStore {
    return {
      read: () => this.evidence,
      write: (evidence) => {
        this.evidence = evidence;
      },
    };
  }

  blockStore(time: VirtualTime, isAlive: () => boolean): BlockStore {
    return {
      head: () => this.blocks.length as Height,
      base: () => 1 as Height,
      get: (height) => this.blocks[height - 1] ?? null,
      heightOf: (hash) => {
        const index = this.blocks.findIndex((stored) => stored.hash === hash);
        return index < 0 ? null : ((index + 1) as Height);
      },
      validators: (height) => this.#validators.get(height) ?? null,
      append: async (block, next) => {
        this.#arriving = { block, next };
        if (this.#damage.earlyBlocks === true) {
          time.after(this.#latency(), () => isAlive() && this.#arrive());
          return;
        }
        await time.sleep(this.#latency());
        if (isAlive()) this.#arrive();
        else await new Promise(() => undefined);
      },
      close: async () => undefined,
    };
  }

  /** @param isPowerCut what was not synced may go as well; else only the process is gone */
  crash(isPowerCut: boolean): void {
    this.files.failAfter = null;
    if (isPowerCut) {
      this.files.powerCut();
      // States are synced every few dozen blocks: what comes after can be executed again.
      if (this.#prng.chance(1, 2)) this.states.length -= this.#prng.below(Math.min(this.states.length, 8) + 1);
    }
    if (this.#prng.chance(1, 2)) this.#arrive();
    this.#arriving = null;
    this.states.length = Math.min(this.states.length, this.blocks.length);
  }

  /** The folders of blocks and state are gone; the sign state is not. */
  loseBlocks(): void {
    this.hasLostFiles = true;
    this.blocks.length = 0;
    this.states.length = 0;
    this.#validators.clear();
  }

  /** The whole log is gone. */
  loseWal(): void {
    this.hasLostFiles = true;
    for (let index = 0; index < 3; index++) this.files.remove(`${walFolder}/wal.${index}`);
  }

  /** All that the validator remembers of its signatures is gone: whoever goes on like this is not honest any more. */
  forgetSignatures(): void {
    this.loseWal();
    this.files.remove(signStatePath);
  }

  #arrive(): void {
    if (this.#arriving === null) return;
    const { block, next } = this.#arriving;
    this.#arriving = null;
    this.blocks.push(block);
    this.#validators.set((block.block.header.height + 1) as Height, next);
  }

  #latency(): number {
    return this.#prng.chance(1, 10) ? 20 + this.#prng.below(200) : 1 + this.#prng.below(5);
  }

  #layer(onDeath: () => void): FileLayer {
    const { layer } = this.files;
    const watched =
      <Arguments extends unknown[], Result>(work: (...args: Arguments) => Result) =>
      (...args: Arguments): Result => {
        try {
          return work(...args);
        } catch (error) {
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
        const isSyncSkipped = this.#damage.skipSync === true;
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

  #damagedWal(wal: Wal): Wal {
    const { unloggedKind, forgetLog } = this.#damage;
    return {
      replay: () => (forgetLog === true ? null : wal.replay()),
      beginHeight: (height) => wal.beginHeight(height),
      // The second byte is the first item of the entry's list, its kind, unless the list is long.
      append: (entry) => {
        if (unloggedKind === undefined || kindOf(entry) !== unloggedKind) wal.append(entry);
      },
      sync: () => wal.sync(),
      close: () => wal.close(),
    };
  }

  #damagedSignState(store: SignStateStore): SignStateStore {
    if (this.#damage.skipSignState !== true) return store;
    return { read: () => store.read(), write: () => undefined, close: () => store.close() };
  }
}

/** Kind of a log entry: the first item of its RLP list, a small number. */
export function kindOf(entry: Uint8Array): number {
  const head = entry[0]!;
  return entry[head > 0xf7 ? 1 + head - 0xf7 : 1]!;
}
