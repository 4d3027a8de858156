import type { LoadNode, TrieStore } from '../trie/trie.ts';
import type { NodeKeyOf } from './nodeRecords.ts';

/** Reads nodes of the trie whose keys are these. */
export type LoadNodes = (keyOf: NodeKeyOf) => LoadNode;

/** How nodes are read and made, and whether it is listed which of the written ones a block drops. */
export interface BlockNodesOptions {
  readonly load: LoadNodes;
  readonly room: (length: number) => Uint8Array;
  readonly listsDropped: boolean;
}

/** What a block does to the nodes of the tries. Those that it makes stand in the tries themselves. */
export class BlockNodes {
  /** Keys of written nodes that are part of their trie no more. Where one comes back, it is made anew. */
  readonly dropped: Uint8Array[] = [];
  /** How many nodes it makes. */
  made = 0;
  readonly #options: BlockNodesOptions;

  constructor(options: BlockNodesOptions) {
    this.#options = options;
  }

  /** One trie, for an update. */
  trieStore(keyOf: NodeKeyOf): TrieStore {
    const { load, room, listsDropped } = this.#options;
    return {
      load: load(keyOf),
      room,
      store: () => {
        this.made++;
      },
      drop: ({ hash, unwritten }) => {
        if (listsDropped && unwritten === null) this.dropped.push(keyOf(hash));
      },
    };
  }
}
