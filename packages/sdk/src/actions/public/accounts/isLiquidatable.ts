import { callRpc, type PrimeClient } from '../../../client.ts';
import type { Address } from '../../../types/primitives.ts';

/** Whose margin is judged. */
export interface IsLiquidatableParameters {
  readonly address: Address;
}
/** As of the newest block; a price that moves can change it in the next one. */
export type IsLiquidatableReturnType = boolean;

/**
 * Whether the equity of an account is below its maintenance margin.
 */
export async function isLiquidatable(
  client: PrimeClient,
  { address }: IsLiquidatableParameters,
): Promise<IsLiquidatableReturnType> {
  return callRpc(client, 'primeorders_isLiquidatable', [address]);
}
