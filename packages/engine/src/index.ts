export { protocolVersion } from './blockRules.ts';
export { withCrashPoints } from './crashPoints.ts';
export { Engine } from './engine.ts';
export type { EngineMetrics, EngineOptions, EnginePorts, NetworkStatus } from './engineOptions.ts';
export { EngineError, type EngineErrorDetail, storeBehind } from './errors.ts';
export type { EngineLog } from './log.ts';
export type * from './ports.ts';
export { StateSync, type StateSyncEffect, stateSyncTickMs } from './sync/stateSync.ts';
export { decodeWalEntry, type WalEntry } from './walEntry.ts';
