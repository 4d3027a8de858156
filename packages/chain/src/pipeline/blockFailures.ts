import type { ExecutableBlock } from '@prime/codec';
import { type Hash, isPrimeError } from '@prime/primitives';
import { ChainError } from '../errors.ts';

/**
 * The blocks above the head whose execution threw, and what they threw.
 *
 * A proposal that can not be executed is nothing yet: another block may be decided. When it is the one that is decided, what it threw at first is thrown
 * again. To try once more in the same process could succeed because of what the first attempt left, here and not at other nodes.
 */
export class BlockFailures {
  readonly #failures = new Map<Hash, unknown>();

  /**
   * Carries out a part of a block's execution.
   *
   * @throws ChainError `CHAIN_BLOCK_FAILED` with what the block threw, now or before, as its cause
   */
  async watch<T>(block: ExecutableBlock, work: () => Promise<T>): Promise<T> {
    const { hash } = block;
    if (this.#failures.has(hash)) throw failureOf(block, this.#failures.get(hash));
    try {
      return await work();
    } catch (error) {
      this.#failures.set(hash, error);
      throw failureOf(block, error);
    }
  }

  /** Forgets all: another height begins. */
  clear(): void {
    this.#failures.clear();
  }
}

function failureOf({ block, hash }: ExecutableBlock, cause: unknown): ChainError {
  const { height } = block.header;
  const reason = cause instanceof Error || isPrimeError(cause) ? cause.message : String(cause);
  return new ChainError(
    `block ${height} (${hash}) can not be executed: ${reason}`,
    { code: 'CHAIN_BLOCK_FAILED', hash, height },
    { cause },
  );
}

/** Both results, or the first failure once neither is under way any more. */
export async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
