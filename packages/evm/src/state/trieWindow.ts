import type { RecordWrite } from '@prime/codec';
import { type Address, bytesEqual, concatBytes, type Height } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import type { HashRef } from '../trie/node.ts';
import { emptyTrieRoot, visitUnwritten } from '../trie/trie.ts';
import type { BlockNodes } from './blockNodes.ts';
import { type CommittedChanges, put } from './flatSource.ts';
import { accountNodeKey, droppedNodesKey, type NodeKeyOf, recordInRoom, storageNodeKey } from './nodeRecords.ts';
import { countChanges, diffKey, encodeDiff } from './stateDiff.ts';

/** When the trie is written whole. No root may depend on it; tests give less. */
export interface WindowLimits {
  /** With every so many blocks at the latest; 1 is with each. */
  readonly blocks: number;
  /** Accounts and slots that changed since, at most. */
  readonly changes: number;
}

/**
 * Every 32 blocks, or sooner where blocks change much: what a start makes again takes some 15 µs a change, and what is in memory
 * some KB. A block with more changes than that is whole by itself.
 */
export const usualWindow: WindowLimits = { blocks: 32, changes: 2_048 };

/** The trie is written with each block. */
export const noWindow: WindowLimits = { blocks: 1, changes: 0 };

/** A block as the window takes it. */
export interface WindowBlock {
  /** Root of the state after the block, and before it. */
  readonly root: Uint8Array;
  readonly parent: Uint8Array;
  readonly changes: CommittedChanges;
  readonly nodes: Pick<BlockNodes, 'dropped'>;
  /** The account trie after the block. */
  readonly trie: HashRef | null;
  /** Storage tries that the block changed. */
  readonly storageTries: ReadonlyMap<Address, HashRef | null>;
}

/** What a block writes of its trie, and what is to be done once that is in the database. */
export interface WindowStep {
  readonly writes: readonly RecordWrite[];
  readonly adopt: () => void;
}

/** Where a window writes to, and when. */
export interface WindowOptions {
  readonly database: Pick<StateDatabase, 'getSync'>;
  readonly limits: WindowLimits;
  /** Whether it lists what no state needs any more, for whoever deletes old states. */
  readonly listsDropped: boolean;
}

/**
 * The blocks since the trie was last written whole. The nodes that they made are in memory, as a part of the tries. A node that one
 * block makes and a later one drops is never written.
 */
export class TrieWindow {
  readonly #options: WindowOptions;
  #diffs: Uint8Array[] = [];
  #changes = 0;
  /** Keys of written nodes that are part of the trie no more. */
  #dropped: Uint8Array[] = [];
  /** Those that changed. */
  readonly #storageTries = new Map<Address, HashRef | null>();

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** Whether all nodes are written. */
  get isEmpty(): boolean {
    return this.#diffs.length === 0;
  }

  /** Changes nothing before it is adopted: the block may be thrown away. */
  after(block: WindowBlock, height: Height): WindowStep {
    const { root, parent, changes } = block;
    if (bytesEqual(root, parent)) return { writes: [], adopt: () => undefined };
    const { database, limits } = this.#options;
    const hasDiff = database.getSync(diffKey(root)) !== undefined;
    const isFull = this.#diffs.length + 1 >= limits.blocks || this.#changes + countChanges(changes) > limits.changes;
    // A root that was there before gets no second diff, which could lead in a circle. It becomes a whole trie.
    if (isFull || hasDiff || this.#isStored(root)) return this.#whole(block, height, hasDiff);
    return { writes: [put(diffKey(root), encodeDiff({ ...changes, root, parent }))], adopt: () => this.keep(block) };
  }

  /** Takes a block whose diff is in the database. */
  keep({ root, changes, nodes, storageTries }: WindowBlock): void {
    this.#diffs.push(diffKey(root));
    this.#changes += countChanges(changes);
    for (const key of nodes.dropped) this.#dropped.push(key);
    for (const [address, trie] of storageTries) this.#storageTries.set(address, trie);
  }

  #isStored(root: Uint8Array): boolean {
    return bytesEqual(root, emptyTrieRoot) || this.#options.database.getSync(accountNodeKey(root)) !== undefined;
  }

  #whole({ root, nodes, trie, storageTries }: WindowBlock, height: Height, hasDiff: boolean): WindowStep {
    const writes: RecordWrite[] = [];
    const written: HashRef[] = [];
    const write = (from: HashRef | null, keyOf: NodeKeyOf): void =>
      visitUnwritten(from, (ref, encoded) => {
        written.push(ref);
        writes.push(put(keyOf(ref.hash), recordInRoom(encoded, height)));
      });
    write(trie, accountNodeKey);
    for (const [address, storage] of new Map([...this.#storageTries, ...storageTries]))
      write(storage, storageNodeKey(address));
    if (hasDiff) writes.push(put(diffKey(root), null));
    const dropped = [...this.#dropped, ...nodes.dropped, ...this.#diffs];
    if (this.#options.listsDropped && dropped.length > 0)
      writes.push(put(droppedNodesKey(height), concatBytes(...dropped)));
    return {
      writes,
      adopt: () => {
        for (const ref of written) ref.unwritten = null;
        this.#diffs = [];
        this.#changes = 0;
        this.#dropped = [];
        this.#storageTries.clear();
      },
    };
  }
}
