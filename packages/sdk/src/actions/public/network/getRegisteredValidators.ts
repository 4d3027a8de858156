import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeRegisteredValidator } from '../../../decode/chain.ts';
import type { RegisteredValidator } from '../../../types/chain.ts';
/** Validators of the set, and those who are jailed or leave. */
export type GetRegisteredValidatorsReturnType = readonly RegisteredValidator[];

/**
 * All validators with stake, in the set or not. Empty on networks whose validators never change.
 */
export async function getRegisteredValidators(client: PrimeClient): Promise<GetRegisteredValidatorsReturnType> {
  return (await callRpc(client, 'prime_registeredValidators', undefined)).map(decodeRegisteredValidator);
}
