import type { ClobBlock, EncodedOutcome, RecordProof } from '@prime/clob';
import type { BlockDelta, GenesisMarket, RecordWrite } from '@prime/codec';
import type { Hash } from '@prime/primitives';

/**
 * The order book thread as the pipeline uses it: {@link ClobEngine} of the clob package behind an asynchronous boundary.
 * Calls are carried out in the order in which they were made.
 */
export interface ClobPort {
  /** Part of the stored records; may be called several times before anything else. */
  restore(records: readonly RecordWrite[]): Promise<void>;
  genesis(markets: readonly GenesisMarket[]): Promise<EncodedOutcome>;
  ordersRoot(): Promise<Hash>;
  prove(key: Uint8Array): Promise<RecordProof>;
  execute(block: ClobBlock): Promise<EncodedOutcome>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/**
 * Takes each committed block's delta, in order, after its batch is written.
 *
 * @param behind as the block was committed with
 */
export type DeltaSink = (delta: BlockDelta, behind: number) => void | Promise<void>;
