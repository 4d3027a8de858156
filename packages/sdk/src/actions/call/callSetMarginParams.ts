import { callRpc, type PrimeClient } from '../../client.ts';
import { marketIdOf } from '../../decode/references.ts';
import type { MarketReference } from '../../types/primitives.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

export interface CallSetMarginParamsParameters extends CallOptions {
  /** Without: the default of all markets that have none of their own. */
  readonly market?: MarketReference | undefined;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}
export type CallSetMarginParamsReturnType = true;

/**
 * Sets margin by `primeorders_setMarginParams`. `setMarginParams` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callSetMarginParams(
  client: PrimeClient,
  { market, initialMarginBps, maintenanceMarginBps, authorization }: CallSetMarginParamsParameters,
): Promise<CallSetMarginParamsReturnType> {
  const market_id = market === undefined ? null : marketIdOf(market);
  const margin = { initialMarginBps, maintenanceMarginBps, market_id };
  return callRpc(client, 'primeorders_setMarginParams', [margin, encodeAuthorization(authorization)]);
}
