import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeNativeBlock } from '../../../decode/chain.ts';
import { blockParameter } from '../../../decode/references.ts';
import type { NativeBlock } from '../../../types/chain.ts';
import type { BlockTag } from '../../../types/primitives.ts';

/** The block that is read. */
export interface GetNativeBlockParameters {
  /** Number or tag. */
  readonly block: bigint | BlockTag;
}
/** Null when there is no such block. */
export type GetNativeBlockReturnType = NativeBlock | null;

/**
 * A block as the chain itself sees it: orders root, validators, commit, domain events; null when there is none. viem's `getBlock` has the Ethereum view.
 */
export async function getNativeBlock(
  client: PrimeClient,
  { block }: GetNativeBlockParameters,
): Promise<GetNativeBlockReturnType> {
  const found = await callRpc(client, 'prime_getBlockByNumber', [blockParameter(block), false]);
  return found === null ? null : decodeNativeBlock(found);
}
