import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeCommitSummary } from '../../../decode/consensus.ts';
import { toQuantity } from '../../../decode/quantity.ts';
import type { CommitSummary } from '../../../types/consensus.ts';

/** A range of blocks by its first one and its length. */
export interface GetCommitsParameters {
  /** Number of the first block. */
  readonly from: bigint;
  /** Blocks from that one on, at most 256. */
  readonly count: number;
}
/** Oldest first; fewer than asked for where blocks are not decided yet. */
export type GetCommitsReturnType = readonly CommitSummary[];

/**
 * How blocks were decided, oldest first: proposer, round, who signed, whose turn failed. What is not decided yet, and genesis, are left out.
 *
 * @throws HistoryPrunedError, InvalidParametersError
 */
export async function getCommits(
  client: PrimeClient,
  { from, count }: GetCommitsParameters,
): Promise<GetCommitsReturnType> {
  return (await callRpc(client, 'prime_getCommits', [toQuantity(from), toQuantity(count)])).map(decodeCommitSummary);
}
