import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult, BatchItem } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Items that one action carries out in their order. */
export interface SubmitBatchParameters extends SubmitOptions {
  /** 1 to 100. */
  readonly items: readonly BatchItem[];
}
/** One result for each item in their order, and the block that holds them. */
export type SubmitBatchReturnType = ActionResult<'batch'> & Inclusion;

/**
 * Up to 100 orders, cancels and modifies in one action with one signature. Each has its own result; a refused one does not stop the others.
 * `createBatch` builds the items. Wallets can show the number of items only, so batches are for keys in programs.
 *
 * @throws BatchSizeError; what `submitAction` throws
 */
export function submitBatch(client: PrimeClient, parameters: SubmitBatchParameters): Promise<SubmitBatchReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'batch', ...fields } });
}
