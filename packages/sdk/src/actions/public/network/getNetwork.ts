import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeNetworkNodes } from '../../../decode/consensus.ts';
import type { NetworkNodes } from '../../../types/consensus.ts';

/** One node's view: who is connected is told as this node sees it. */
export type GetNetworkReturnType = NetworkNodes;

/**
 * What the node knows of the network: rules and the next upgrade, validators with their newest block, other nodes that are connected.
 */
export async function getNetwork(client: PrimeClient): Promise<GetNetworkReturnType> {
  return decodeNetworkNodes(await callRpc(client, 'prime_network', undefined));
}
