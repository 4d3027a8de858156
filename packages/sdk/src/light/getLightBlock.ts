import { getCommit } from '../actions/public/chain.ts';
import { getValidators } from '../actions/public/network.ts';
import type { PrimeClient } from '../client.ts';
import type { LightBlock } from './types.ts';

/** The block that is to be verified. */
export interface GetLightBlockParameters {
  readonly blockNumber: bigint;
}

/** A block with its certificate and its validators, as the node shows it: nothing of it is verified. Null when the node has none. */
export async function getLightBlock(
  client: PrimeClient,
  { blockNumber }: GetLightBlockParameters,
): Promise<LightBlock | null> {
  const commit = await getCommit(client, { block: blockNumber });
  if (commit === null) return null;
  return { commit, validators: await getValidators(client, { block: blockNumber }) };
}
