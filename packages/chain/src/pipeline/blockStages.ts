/** Parts of a block's work that a pipeline measures. */

/**
 * Of an execution: what moves between the domains before it, transactions and order book side by side, then the state root. `evm` and `orders` count the same time where both work.
 */
export type ExecutionPhase = 'boundary' | 'evm' | 'orders' | 'root';

/** Of a commit: making the batch, writing it to the database, taking the block as the state of both domains, telling the gateway. */
export type CommitStage = 'batch' | 'write' | 'keep' | 'tell';

/** Told of what a pipeline does. */
export interface PipelineWatch {
  /** A block was executed. @param ms how long it took, what it waited for included */
  executed(ms: number): void;
  phase(phase: ExecutionPhase, ms: number): void;
  commit(stage: CommitStage, ms: number): void;
  /** A part of what is too old was deleted. @param left heights that are too old and still there */
  pruned(left: number): void;
}

const nothing = (): void => undefined;
/** For pipelines that nobody measures. */
export const unwatched: PipelineWatch = { executed: nothing, phase: nothing, commit: nothing, pruned: nothing };

/** Carries out a part of the work and says how long it took; a failure took no time that anybody asks for. */
export async function timed<T>(work: () => Promise<T>, tell: (ms: number) => void): Promise<T> {
  const before = performance.now();
  const result = await work();
  tell(performance.now() - before);
  return result;
}
