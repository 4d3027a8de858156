import { callRpc, type PrimeClient } from '../../client.ts';
import { marketIdOf } from '../../decode/references.ts';
import type { MarketReference } from '../../types/primitives.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Margin as basis points of a position's notional: 10 000 is all of it. */
export interface CallSetMarginParamsParameters extends CallOptions {
  /** Without: the default of all markets that have none of their own. */
  readonly market?: MarketReference | undefined;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}
/** Margin that can not be set throws, so there is no false. */
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
