import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint } from '../../decode/quantity.ts';
import { decodeLiquidation } from '../../decode/results.ts';
import type { Address } from '../../types/primitives.ts';
import type { Liquidation } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** The account whose positions are to be closed. */
export interface CallLiquidateParameters extends CallOptions {
  readonly address: Address;
}
/** What was closed and who paid for it, and the block that did it. */
export type CallLiquidateReturnType = Liquidation & { readonly blockNumber: bigint };

/**
 * Closes positions of an account below its maintenance margin by `primeorders_liquidate`. `liquidate` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callLiquidate(
  client: PrimeClient,
  { address, authorization }: CallLiquidateParameters,
): Promise<CallLiquidateReturnType> {
  const answer = await callRpc(client, 'primeorders_liquidate', [address, encodeAuthorization(authorization)]);
  return { ...decodeLiquidation(answer), blockNumber: toBigint(answer.block_number) };
}
