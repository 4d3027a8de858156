import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeBatch, decodeInclusion } from '../../decode/results.ts';
import type { BatchItem } from '../../types/action.ts';
import type { Address } from '../../types/primitives.ts';
import type { BatchResult, Inclusion } from '../../types/results.ts';
import { encodeItem } from './wireOrder.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Whose orders they are, and 1 to 100 items that are carried out in their order. */
export interface CallBatchParameters extends CallOptions {
  readonly owner: Address;
  readonly items: readonly BatchItem[];
}
/** One result for each item in their order, and the block that holds them. */
export type CallBatchReturnType = BatchResult & Inclusion;

/**
 * Up to 100 orders, cancels and modifies by `primeorders_batch`. `submitBatch` signs them.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callBatch(
  client: PrimeClient,
  { owner, items, authorization }: CallBatchParameters,
): Promise<CallBatchReturnType> {
  const answer = await callRpc(client, 'primeorders_batch', [
    owner,
    items.map(encodeItem),
    encodeAuthorization(authorization),
  ]);
  return { ...decodeBatch(answer), ...decodeInclusion(answer) };
}
