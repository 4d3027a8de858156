import type { ExecutableBlock } from '@prime/codec';
import type { Hash, Height } from '@prime/primitives';
import { ChainError } from '../errors.ts';

/** Checked blocks of one height that are kept: one per round that got a proposal. */
const blocksMax = 16;

/** The blocks above the head that passed their check, and which of them is executed ahead of its decision. */
export class CheckedBlocks {
  readonly #blocks = new Map<Hash, ExecutableBlock>();
  #ahead: Hash | null = null;

  add(block: ExecutableBlock): void {
    if (this.#blocks.size >= blocksMax && !this.#blocks.has(block.hash)) this.#dropOldest();
    this.#blocks.set(block.hash, block);
  }

  /** @throws ChainError `CHAIN_UNKNOWN_BLOCK` when it did not pass the check on top of the head */
  get(hash: Hash, head: Height): ExecutableBlock {
    const block = this.#blocks.get(hash);
    if (block !== undefined) return block;
    const words = `block ${hash} was not checked on top of height ${head}`;
    throw new ChainError(words, { code: 'CHAIN_UNKNOWN_BLOCK', hash, head });
  }

  /** Whether this block is the one to be executed ahead: the first one that is asked for, of those that are here. */
  isAhead(hash: Hash): boolean {
    if (this.#ahead === null && this.#blocks.has(hash)) this.#ahead = hash;
    return this.#ahead === hash;
  }

  /** Another height begins. */
  clear(): void {
    this.#blocks.clear();
    this.#ahead = null;
  }

  #dropOldest(): void {
    for (const hash of this.#blocks.keys()) {
      if (hash === this.#ahead) continue;
      this.#blocks.delete(hash);
      return;
    }
  }
}
