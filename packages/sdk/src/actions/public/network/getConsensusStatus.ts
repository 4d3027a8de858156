import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeConsensusStatus } from '../../../decode/consensus.ts';
import type { ConsensusStatus } from '../../../types/consensus.ts';

/** One node's view: another node may be ahead or behind. */
export type GetConsensusStatusReturnType = ConsensusStatus;

/**
 * The height that is being decided as the node sees it: what the next block waits for and since when, whose turn it is, who voted.
 */
export async function getConsensusStatus(client: PrimeClient): Promise<GetConsensusStatusReturnType> {
  return decodeConsensusStatus(await callRpc(client, 'prime_consensusStatus', undefined));
}
