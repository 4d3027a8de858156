export type * from './genesisTypes.ts';
export type * from './types.ts';
