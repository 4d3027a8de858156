import {
  type BlockAction,
  getBlockActions,
  getNativeBlock,
  getValidators,
  type Hash,
  type NativeBlock,
  type Validator,
} from '@prime/sdk';
import { keptOrNull } from '../../node/keptOrNull.ts';
import type { RpcClient } from '../../node/rpcClient.ts';
import { isHash } from '../../router/routes.ts';

/** A transaction of the EVM as the list of a block shows it. */
export interface ListedTransaction {
  readonly hash: Hash;
  readonly from: `0x${string}`;
  /** null where a contract is made. */
  readonly to: `0x${string}` | null;
  readonly value: bigint;
}

/** All that the page of a block shows. */
export interface ReadBlock {
  readonly block: NativeBlock;
  /** As the node wrote it. */
  readonly raw: unknown;
  readonly transactions: readonly ListedTransaction[];
  /** null where they are not kept any more. */
  readonly actions: readonly BlockAction[] | null;
  /** Who could sign it; null where that is not kept any more. */
  readonly validators: readonly Validator[] | null;
}

/** @param name number or hash @returns null when there is no such block */
export async function readBlock(client: RpcClient, name: string): Promise<ReadBlock | null> {
  const number = isHash(name) ? await numberOfHash(client, name) : BigInt(name);
  if (number === null) return null;
  const quantity = `0x${number.toString(16)}`;
  const block = await getNativeBlock(client.sdk, { block: number });
  if (block === null) return null;
  // What was pruned is left out of the page; what could not be asked fails all of it, and is asked for again.
  const [raw, whole, actions, validators] = await Promise.all([
    client.request({ method: 'prime_getBlockByNumber', params: [quantity, false] }),
    client.request({ method: 'eth_getBlockByNumber', params: [quantity, true] }),
    keptOrNull(getBlockActions(client.sdk, { block: number })),
    keptOrNull(getValidators(client.sdk, { block: number })),
  ]);
  return { block, raw, transactions: transactionsOf(whole), actions, validators };
}

async function numberOfHash(client: RpcClient, hash: Hash): Promise<bigint | null> {
  const found = await client.request({ method: 'eth_getBlockByHash', params: [hash, false] });
  const isBlock = typeof found === 'object' && found !== null && 'number' in found && typeof found.number === 'string';
  return isBlock ? BigInt(found.number as string) : null;
}

function transactionsOf(block: unknown): readonly ListedTransaction[] {
  const { transactions } = (block ?? { transactions: [] }) as {
    readonly transactions: readonly {
      readonly hash: Hash;
      readonly from: `0x${string}`;
      readonly to: `0x${string}` | null;
      readonly value: string;
    }[];
  };
  return transactions.map(({ hash, from, to, value }) => ({ hash, from, to, value: BigInt(value) }));
}
