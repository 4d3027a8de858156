import { callRpc, type PrimeClient } from '../../client.ts';
import { toQuantity } from '../../decode/quantity.ts';
import { decodeDeposit } from '../../decode/results.ts';
import type { Address, Wei } from '../../types/primitives.ts';
import type { Deposit } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Whose EVM balance becomes whose collateral: both are of `address`. `amount` in wei. */
export interface CallDepositCollateralParameters extends CallOptions {
  readonly address: Address;
  readonly amount: Wei;
}
/** The deposit, with the collateral after it. */
export type CallDepositCollateralReturnType = Deposit;

/**
 * Moves wei into collateral by `primeorders_depositCollateral`; where genesis names a faucet, it pays what the account lacks. `depositCollateral` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callDepositCollateral(
  client: PrimeClient,
  { address, amount, authorization }: CallDepositCollateralParameters,
): Promise<CallDepositCollateralReturnType> {
  const parameters = [address, toQuantity(amount), encodeAuthorization(authorization)] as const;
  return decodeDeposit(await callRpc(client, 'primeorders_depositCollateral', [...parameters]));
}
