export { protocolVersion } from './blockRules.ts';
export { Engine, type EngineMetrics, type EngineOptions, type EnginePorts, type NetworkStatus } from './engine.ts';
export { EngineError, type EngineErrorDetail } from './errors.ts';
export type { EngineLog } from './log.ts';
export type * from './ports.ts';
export { decodeWalEntry, type WalEntry } from './walEntry.ts';
