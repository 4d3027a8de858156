import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeCommit } from '../../../decode/chain.ts';
import { blockParameter } from '../../../decode/references.ts';
import type { Commit } from '../../../types/chain.ts';
import type { BlockReference } from '../../../types/primitives.ts';

/** The block whose certificate is read. */
export interface GetCommitParameters {
  /** Number, tag or hash. */
  readonly block: BlockReference;
}
/** Header and signatures that decided a block; null when there is no such block. */
export type GetCommitReturnType = Commit | null;

/**
 * What proves that a block was decided; null when there is no such block. Genesis is not decided, it has none.
 */
export async function getCommit(client: PrimeClient, { block }: GetCommitParameters): Promise<GetCommitReturnType> {
  const commit = await callRpc(client, 'prime_getCommit', [blockParameter(block)]);
  return commit === null ? null : decodeCommit(commit);
}
