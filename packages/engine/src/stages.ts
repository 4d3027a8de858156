import type { ExecutableBlock, StoredBlock } from '@prime/codec';
import type { Hash, Height } from '@prime/primitives';

/**
 * Told of moments on the way of transactions, actions and blocks through the engine, when they come. For those who want to know where time goes; what
 * a listener does has no effect on the engine, and it must not throw. Nothing is told while a log is replayed.
 */
export interface EngineStages {
  /** A transaction or action was admitted to the mempool. */
  pooled(item: Hash): void;
  /** This validator built the block, for its own proposal. */
  proposed(block: ExecutableBlock): void;
  /** A block that another one proposed is complete here. */
  received(block: ExecutableBlock): void;
  /** This validator precommits the block, because prevotes of more than 2/3 of the power are here. */
  polka(height: Height, block: Hash): void;
  /** Precommits of more than 2/3 of the power are here. */
  decided(height: Height, block: Hash): void;
  /** Block and certificate are on the disk. */
  durable(block: StoredBlock): void;
}
