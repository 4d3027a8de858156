export { oldestCandle, readCandles } from './candleHistory.ts';
export { type CheckContext, checkBlock, highestCost } from './check.ts';
export { clobInThread } from './clobInThread.ts';
export { readEndedOrder } from './endedOrders.ts';
export { ChainError, type ChainErrorDetail } from './errors.ts';
export {
  type BlockHashes,
  type ExecutedRecord,
  metaKey,
  readActionResults,
  readBlockHashes,
  readEventFrames,
  readEvents,
  readExecuted,
  readLastApplied,
  readLocation,
  readLogs,
  readOldest,
  readReceipts,
} from './history.ts';
export {
  findAccountPlaces,
  findEvents,
  findLogs,
  type Places,
} from './historyIndex.ts';
export { readMovesBefore } from './movesBefore.ts';
export { type BlockFindings, inspectBlocks, type InspectedBlocks } from './inspect/blocks.ts';
export { inspectResults, inspectState, type StateInspection } from './inspect/state.ts';
export { openChain, restoreClob } from './open.ts';
export type { CommitStage, ExecutionPhase, PipelineWatch } from './blockStages.ts';
export { clobWrites } from './committed.ts';
export { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts';
export { openStaking, type StakingDomain } from './staking.ts';
export type { ClobPort, DeltaSink } from './ports.ts';
export {
  chunkHash,
  hashesBefore,
  openSnapshotSource,
  type SnapshotBlocks,
  type SnapshotSource,
} from './snapshot/exportSnapshot.ts';
export { createSnapshotRestore, type RestoredSnapshot } from './snapshot/restoreSnapshot.ts';
export {
  createSnapshotter,
  snapshotHeightMin,
  type SnapshotSink,
  type Snapshotter,
  type SnapshotterOptions,
} from './snapshot/snapshotter.ts';
export { archive, type Retention } from './pruner.ts';
export { createOrderViews, type OrderViewsOptions } from './orderViews/orderViews.ts';
