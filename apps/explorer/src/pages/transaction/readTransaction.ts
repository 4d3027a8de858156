import { type DomainEventOf, getNativeBlock, type Hash, type NativeBlock } from '@prime/sdk';
import { keptOrNull } from '../../node/keptOrNull.ts';
import type { RpcClient } from '../../node/rpcClient.ts';

type Hex = `0x${string}`;

/** A transaction as nodes write it, as far as it is shown. */
export interface WireTransaction {
  readonly hash: Hash;
  readonly type: Hex;
  readonly from: Hex;
  /** null where a contract is made. */
  readonly to: Hex | null;
  readonly value: Hex;
  readonly gas: Hex;
  readonly gasPrice: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly nonce: Hex;
  readonly input: Hex;
  readonly blockNumber: Hex | null;
  readonly transactionIndex: Hex | null;
  /** Of native ones: block time in ms after which it is not executed; 0 is never. */
  readonly expiresAt?: Hex;
  readonly signatureKind?: string;
  readonly action?: Readonly<Record<string, unknown>>;
}

/** A log as `eth_getTransactionReceipt` has it. */
export interface WireLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: Hex;
}

interface WireReceipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly WireLog[];
  /** What the call returned or reverted with; RLP of the result of a native one. */
  readonly output?: Hex;
}

/** Where a transaction stands, and what is known of it. */
export type ReadTransaction =
  | { readonly stage: 'unknown' }
  | {
      readonly stage: 'pending';
      readonly transaction: WireTransaction;
      /** Transactions of its sender that have to come before it and are not in a block; null where that does not count. */
      readonly before: bigint | null;
    }
  | {
      readonly stage: 'final';
      readonly transaction: WireTransaction;
      readonly receipt: WireReceipt;
      /** null where it is not kept any more. */
      readonly block: NativeBlock | null;
      readonly events: readonly DomainEventOf[];
      /** Whether the block is there in which the order book does what contracts asked for. */
      readonly isSettled: boolean;
    };
/** A transaction that is in a block. */
export type FinalTransaction = Extract<ReadTransaction, { readonly stage: 'final' }>;

/** What parts of the page of a transaction are given. */
export interface TransactionProps {
  readonly transaction: WireTransaction;
  /** null while it waits. */
  readonly final: FinalTransaction | null;
}

const nativeType = '0x50';
/** Whether it is a signed action of the chain and no EVM transaction. */
export const isNative = ({ type }: Pick<WireTransaction, 'type'>): boolean => type === nativeType;

/** A transaction with its receipt and the blocks around it. Blocks that the node has deleted are null. */
export async function readTransaction(client: RpcClient, hash: Hash): Promise<ReadTransaction> {
  const [transaction, receipt] = (await Promise.all([
    client.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    client.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
  ])) as [WireTransaction | null, WireReceipt | null];
  if (transaction === null) return { stage: 'unknown' };
  // A block may have come between the two answers; the next look finds both.
  if (transaction.blockNumber === null || receipt === null)
    return { stage: 'pending', transaction, before: await missingBefore(client, transaction) };
  const number = BigInt(transaction.blockNumber);
  const native = isNative(transaction);
  const [block, after] = await Promise.all([
    keptOrNull(getNativeBlock(client.sdk, { block: number })),
    // What contracts ask of the order book is done in the block after.
    native ? null : keptOrNull(getNativeBlock(client.sdk, { block: number + 1n })),
  ]);
  const events = [block, after]
    .flatMap((one) => one?.domainEvents ?? [])
    .filter(({ transactionHash }) => transactionHash === hash);
  return { stage: 'final', transaction, receipt, block, events, isSettled: native || after !== null };
}

async function missingBefore(client: RpcClient, transaction: WireTransaction): Promise<bigint | null> {
  if (isNative(transaction)) return null;
  const next = await client.request({ method: 'eth_getTransactionCount', params: [transaction.from, 'latest'] });
  const missing = BigInt(transaction.nonce) - BigInt(next as string);
  return missing > 0n ? missing : 0n;
}
