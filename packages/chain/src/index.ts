export { clobAddress } from './boundary.ts';
export { type CheckContext, checkBlock, highestCost } from './check.ts';
export { ChainError, type ChainErrorDetail } from './errors.ts';
export {
  type ExecutedRecord,
  metaKey,
  readActionResults,
  readEvents,
  readExecuted,
  readLastApplied,
  readLocation,
  readReceipts,
  type TransactionLocation,
} from './history.ts';
export { openChain } from './open.ts';
export { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts';
export type { ClobPort, DeltaSink } from './ports.ts';
