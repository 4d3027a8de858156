import type { PrimeClient } from '../../../client.ts';
import type { ActionResult } from '../../../types/action.ts';
import type { Inclusion } from '../../../types/results.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** How many transfers one action carries out. */
export interface DequeueOrdersToEvmParameters extends SubmitOptions {
  /** Most transfers that are carried out. Default 1000, which is also the most. */
  readonly max?: number | undefined;
}
/** Transfers that left the queue, how many still wait, and the block. */
export type DequeueOrdersToEvmReturnType = ActionResult<'bridgeDequeue'> & Inclusion;

/** Carries out queued transfers to EVM balances, first in, first out; anyone may. @throws what `submitAction` throws */
export function dequeueOrdersToEvm(
  client: PrimeClient,
  parameters: DequeueOrdersToEvmParameters = {},
): Promise<DequeueOrdersToEvmReturnType> {
  const { options, fields } = splitOptions(parameters);
  const { max = 1000 } = fields;
  return submitAction(client, { ...options, action: { type: 'bridgeDequeue', direction: 'orders_to_evm', max } });
}
