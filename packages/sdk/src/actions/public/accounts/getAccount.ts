import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeAccount } from '../../../decode/account.ts';
import type { MarginAccount } from '../../../types/account.ts';
import type { Address } from '../../../types/primitives.ts';

/** Whose margin account it is. */
export interface GetAccountParameters {
  readonly address: Address;
}
/** Amounts in wei of the quote, sizes in base units. */
export type GetAccountReturnType = MarginAccount;

/**
 * Margin account of an address: collateral, equity, margin and positions, at the mark prices of the block to come.
 */
export async function getAccount(
  client: PrimeClient,
  { address }: GetAccountParameters,
): Promise<GetAccountReturnType> {
  return decodeAccount(await callRpc(client, 'primeorders_getAccount', [address]));
}
