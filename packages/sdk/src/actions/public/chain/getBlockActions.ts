import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeBlockAction } from '../../../decode/chain.ts';
import { blockParameter } from '../../../decode/references.ts';
import type { BlockAction } from '../../../types/chain.ts';
import type { BlockReference } from '../../../types/primitives.ts';

/** The block whose actions are read. */
export interface GetBlockActionsParameters {
  /** Number, tag or hash. */
  readonly block: BlockReference;
}
/** Raw actions in the order of the block; null when there is no such block. */
export type GetBlockActionsReturnType = readonly BlockAction[] | null;

/**
 * All actions of a block in their order, with what each answered there; null when there is no such block.
 *
 * @throws HistoryPrunedError
 */
export async function getBlockActions(
  client: PrimeClient,
  { block }: GetBlockActionsParameters,
): Promise<GetBlockActionsReturnType> {
  const actions = await callRpc(client, 'prime_getBlockActions', [blockParameter(block)]);
  return actions === null ? null : actions.map(decodeBlockAction);
}
