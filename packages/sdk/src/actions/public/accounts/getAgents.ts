import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeAgent } from '../../../decode/account.ts';
import type { Agent } from '../../../types/account.ts';
import type { Address } from '../../../types/primitives.ts';

/** The account that approved them. */
export interface GetAgentsParameters {
  readonly address: Address;
}
/** Revoked agents included: their keys can not be approved again. */
export type GetAgentsReturnType = readonly Agent[];

/**
 * The keys that may sign for an account, and those that it revoked, by address.
 */
export async function getAgents(client: PrimeClient, { address }: GetAgentsParameters): Promise<GetAgentsReturnType> {
  return (await callRpc(client, 'primeorders_getAgents', [address])).map(decodeAgent);
}
