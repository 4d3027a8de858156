import { type ChainRecord, recordId } from '../../record.ts';

/** What a finished file holds. */
export interface Manifest {
  readonly format: 1;
  readonly chain_id: number;
  readonly genesis_hash: string;
  readonly file: string;
  /** Of all lines. */
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Ids of the first and the last record, `height:index`. */
  readonly first_id: string;
  readonly last_id: string;
  /** Hash of each block in it, by height ascending and without gaps. */
  readonly blocks: readonly { readonly height: number; readonly hash: string; readonly records: number }[];
}

/** Follows records as they are written or read, and says where they stop to be whole blocks one after the other. */
export class BlockSequence {
  readonly #blocks: { height: number; hash: string; records: number }[] = [];
  #first: string | null = null;
  #last: string | null = null;
  #records = 0;
  /** Of the block that is not whole yet. */
  #open: { height: number; hash: string; next: number } | null = null;

  get blocks(): Manifest['blocks'] {
    return this.#blocks;
  }
  get records(): number {
    return this.#records;
  }
  get ids(): { readonly first: string | null; readonly last: string | null } {
    return { first: this.#first, last: this.#last };
  }

  /** @returns what it is: a record in the middle of a block, the end of a block, or not the one that has to come */
  take(record: ChainRecord): 'inside' | 'end' | 'wrong' {
    const { height, index, block_hash: hash, type } = record;
    const previous = this.#blocks.at(-1);
    const open = this.#open ?? { height: previous === undefined ? height : previous.height + 1, hash, next: 0 };
    if (height !== open.height || index !== open.next || hash !== open.hash) return 'wrong';
    const id = recordId(record);
    this.#first ??= id;
    this.#last = id;
    this.#records++;
    if (type !== 'block') {
      this.#open = { ...open, next: index + 1 };
      return 'inside';
    }
    this.#open = null;
    this.#blocks.push({ height, hash, records: index + 1 });
    return 'end';
  }
}
