import { rpc } from '@prime/load/rpc';
import type { Testnet } from '@prime/testkit';

/** Questions to the nodes of a test network, by their index. */
export interface Nodes {
  readonly call: <Result>(index: number, method: string, params?: readonly unknown[]) => Promise<Result>;
  /** Of the newest block of a node. */
  readonly heightOf: (index: number) => Promise<number>;
}

/** @param testnet asked at each call, so that tests can say it before it is there */
export function nodesOf(testnet: () => Testnet): Nodes {
  const call = <Result>(index: number, method: string, params: readonly unknown[] = []): Promise<Result> =>
    rpc(testnet().url(index), method, params);
  return { call, heightOf: async (index) => Number(await call<string>(index, 'eth_blockNumber')) };
}
