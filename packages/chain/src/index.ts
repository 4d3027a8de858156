export { oldestCandle, readCandles } from './history/candleHistory.ts';
export { type CheckContext, checkBlock, highestCost } from './pipeline/check.ts';
export { clobInThread } from './domains/clobInThread.ts';
export { readEndedOrder } from './history/findOrder.ts';
export { ChainError, type ChainErrorDetail } from './errors.ts';
export { rememberingRecords } from './history/blockRecords.ts';
export { type BlockHashes, readBlockHashes } from './history/blockHashes.ts';
export {
  type ExecutedRecord,
  metaKey,
  readActionResults,
  readEventFrames,
  readEvents,
  readExecuted,
  readLastApplied,
  readLocation,
  readLogs,
  readOldest,
  readReceipts,
} from './history/history.ts';
export {
  findAccountPlaces,
  findEvents,
  findLogs,
  type Places,
} from './history/historyIndex.ts';
export { readAccountEvents, readAccountOrders } from './history/readLists.ts';
export { readMovesBefore } from './pipeline/movesBefore.ts';
export { type BlockFindings, inspectBlocks, type InspectedBlocks } from './inspect/blocks.ts';
export { inspectResults, inspectState, type StateInspection } from './inspect/state.ts';
export { openChain, restoreClob } from './pipeline/open.ts';
export type { CommitStage, ExecutionPhase, PipelineWatch } from './pipeline/blockStages.ts';
export { clobWrites } from './pipeline/committed.ts';
export { createPipeline, type Pipeline, type PipelineOptions } from './pipeline/pipeline.ts';
export { openStaking, type StakingDomain } from './domains/staking.ts';
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
export { archive, type Retention } from './history/pruner.ts';
export { readBookParameters } from './orderViews/bookParameters.ts';
export { createOrderViews, type OrderViewsOptions } from './orderViews/orderViews.ts';
