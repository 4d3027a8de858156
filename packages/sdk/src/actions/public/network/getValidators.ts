import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeValidator } from '../../../decode/chain.ts';
import { blockParameter } from '../../../decode/references.ts';
import type { Validator } from '../../../types/chain.ts';
import type { BlockReference } from '../../../types/primitives.ts';

/** For which block the set is read. */
export interface GetValidatorsParameters {
  /** Those who decided it; without: those who decide the next one. */
  readonly block?: BlockReference | undefined;
}
/** Only those who vote; `getRegisteredValidators` has all of them. */
export type GetValidatorsReturnType = readonly Validator[];

/**
 * The active validators with stake and voting power. With a block: in the order of their set, as a light client needs them.
 *
 * @throws HistoryPrunedError, RpcAnswerError for a block that is not known
 */
export async function getValidators(
  client: PrimeClient,
  { block }: GetValidatorsParameters = {},
): Promise<GetValidatorsReturnType> {
  const parameters = block === undefined ? null : blockParameter(block);
  return (await callRpc(client, 'prime_validators', [parameters])).map(decodeValidator);
}
