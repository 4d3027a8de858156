import type { RpcResult } from '@prime/sdk';

/** What genesis says of the network. */
export interface NetworkFacts {
  readonly name: string;
  readonly chainId: number;
  /** Keys and stakes are for tests. */
  readonly isTest: boolean;
  /** Actions may come unsigned. */
  readonly hasOpenActions: boolean;
  /** Longest wait between two blocks, ms. */
  readonly emptyBlockIntervalMs: number;
  /** Time of block 0, ms since 1970. */
  readonly startedMs: number;
}

/** Longest wait between two blocks where genesis does not say it, ms. */
export const intervalMsDefault = 10_000;

/** What pages have to know of a network, from its genesis. */
export function networkOf(genesis: RpcResult<'prime_getGenesis'>): NetworkFacts {
  const interval = genesis.consensus['emptyBlockIntervalMs'];
  return {
    name: genesis.networkName,
    chainId: genesis.chainId,
    isTest: genesis.testNetwork,
    hasOpenActions: genesis.actions === 'open',
    emptyBlockIntervalMs: typeof interval === 'number' ? interval : intervalMsDefault,
    startedMs: genesis.timestampMs,
  };
}
