import type { Evidence, ExecutionStatus, StoredBlock, ValidatorSet } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { BlockStore, EvidenceStore, SignStateRecord, SignStateStore, Wal } from '../ports.ts';

/** What a node's disk holds; unsynced log entries are lost in a crash. */
export class Disk {
  synced: { height: Height; entries: Uint8Array[] } | null = null;
  #open: { height: Height; entries: Uint8Array[] } | null = null;
  signState: SignStateRecord | null = null;
  isSealed = false;
  /** That waits for a block. */
  evidence: readonly Evidence[] = [];
  readonly blocks: StoredBlock[] = [];
  /** Height of the oldest block that is kept. */
  base = 1 as Height;
  readonly validators = new Map<Height, ValidatorSet>();
  readonly states: ExecutionStatus[] = [];
  /** Every signature record ever written, to check that none contradicts another. */
  readonly signed: SignStateRecord[] = [];
  /** Blocks that execution accepted to check, so far. */
  checks = 0;
  /** Heights of blocks whose content was counted, so far. */
  readonly counted: Height[] = [];
  /** How many blocks were known to be missing when each block was committed. */
  readonly behind: number[] = [];
  /** What the check of a block waits for. */
  beforeCheck: () => Promise<void> = async () => undefined;
  /** What a block waits for before it is durable. */
  beforeAppend: (height: Height) => Promise<void> = async () => undefined;

  /** The folders `blocks/` and `state/` are gone. */
  loseBlocks(): void {
    this.blocks.length = 0;
    this.states.length = 0;
    this.validators.clear();
  }

  /** The folder `wal/` is gone. */
  loseWal(): void {
    this.synced = null;
    this.#open = null;
  }

  crash(): void {
    this.#open = this.synced === null ? null : { height: this.synced.height, entries: [...this.synced.entries] };
  }

  get wal(): Wal {
    return {
      replay: () => this.#open,
      beginHeight: (height) => {
        this.#open = { height, entries: [] };
        this.synced = { height, entries: [] };
      },
      append: (entry) => this.#open!.entries.push(entry),
      sync: () => {
        this.synced = { height: this.#open!.height, entries: [...this.#open!.entries] };
      },
      close: () => undefined,
    };
  }

  get signStateStore(): SignStateStore {
    return {
      read: () => this.signState,
      write: (record) => void this.signed.push((this.signState = record)),
      isSealed: () => this.isSealed,
      unseal: () => void (this.isSealed = false),
      close: () => undefined,
    };
  }

  get evidenceStore(): EvidenceStore {
    return {
      read: () => this.evidence,
      write: (evidence) => {
        this.evidence = evidence;
      },
    };
  }

  get blockStore(): BlockStore {
    return {
      head: () => this.blocks.length as Height,
      base: () => this.base,
      get: (height) => (height < this.base ? null : (this.blocks[height - 1] ?? null)),
      heightOf: (hash) => (this.blocks.findIndex((stored) => stored.hash === hash) + 1 || null) as Height | null,
      validators: (height) => this.validators.get(height) ?? null,
      append: async (stored, next) => {
        await this.beforeAppend(stored.block.header.height);
        this.blocks.push(stored);
        this.validators.set((stored.block.header.height + 1) as Height, next);
      },
      close: async () => undefined,
    };
  }
}
