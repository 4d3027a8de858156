export { noStake } from './accounts.ts';
export { encodeOutcome } from './encodeOutcome.ts';
export { createClobEngine } from './engine.ts';
export { type RefusalCode, refusalCodes } from './errors.ts';
export { unsettledFunding } from './funding.ts';
export {
  type AccountMargin,
  accountMargin,
  type Holdings,
  type MarginMarket,
  storedMarginMarket,
  unrealized,
} from './margin.ts';
export type * from './ports.ts';
export type { ShardDone, ShardSync, ShardWork } from './shards/messages.ts';
export { createPooledEngine, type PooledEngine, type ShardPort } from './shards/pool.ts';
export { Shard } from './shards/shard.ts';
export { isAtRest, outcomeAtRest } from './rest.ts';
export type { RecordProof } from './recordTrie.ts';
