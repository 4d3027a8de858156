import { callRpc, type PrimeClient } from '../../../client.ts';
import type { RpcGenesis } from '../../../generated/methods.ts';
/** Keys and encodings are those of genesis.json, so that its hash can be computed. */
export type GetGenesisReturnType = RpcGenesis;

/**
 * The genesis that the node runs on, as genesis.json has it. Its hash is the hash of block 0.
 */
export async function getGenesis(client: PrimeClient): Promise<GetGenesisReturnType> {
  return callRpc(client, 'prime_getGenesis', undefined);
}
