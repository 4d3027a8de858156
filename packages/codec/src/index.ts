export { blockPrefix, hashKey, heightKey, heightOfKey, prefixedKey, statePrefix } from './databaseKeys.ts';
export type * from './genesisTypes.ts';
export type * from './pipelineTypes.ts';
export type * from './types.ts';
