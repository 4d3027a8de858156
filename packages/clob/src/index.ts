export { encodeOutcome } from './encodeOutcome.ts';
export { createClobEngine } from './engine.ts';
export { noStake } from './book/exposure.ts';
export { unsettledFunding } from './margin/funding.ts';
export {
  type AccountMargin,
  accountMargin,
  type Holdings,
  liquidationState,
  storedMarginMarket,
  unrealized,
} from './margin/margin.ts';
export type { MarginMarket } from './state/markets.ts';
export type { RecordProof } from './records/recordTrie.ts';
export { isAtRest, outcomeAtRest } from './rules/rest.ts';
export type { ShardDone, ShardSync, ShardWork } from './shards/messages.ts';
export { createPooledEngine, type PooledEngine, type ShardPort } from './shards/pool.ts';
export { Shard } from './shards/shard.ts';
export type * from './ports.ts';
