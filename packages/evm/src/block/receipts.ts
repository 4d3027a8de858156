import { encodeRlp, type Log, type Receipt, type VerifiedTransaction } from '@prime/codec';
import { type Address, bigintMin, bytesToHash, concatBytes, type Hash } from '@prime/primitives';
import { emptyBloom } from './bloom.ts';
import { comparePaths, missingNode, nibblesOf, rootHash, type TrieChange, updateTrie } from '../trie/trie.ts';

const noBytes = new Uint8Array(0);

/** Place of a transaction in its block. */
export interface ReceiptPlace {
  readonly transactionIndex: number;
  /** Gas of the block's transactions before this one. */
  readonly gasBefore: bigint;
  readonly baseFee: bigint;
}

/** wei per gas that a transaction pays under a base fee. */
export const effectiveGasPrice = (
  transaction: Pick<VerifiedTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  baseFee: bigint,
): bigint => bigintMin(transaction.maxFeePerGas, baseFee + transaction.maxPriorityFeePerGas);

/** What came of a transaction that ran. */
export interface Executed {
  readonly failed: boolean;
  readonly gasUsed: bigint;
  /** None of one that failed. */
  readonly logs: readonly Log[];
  readonly logsBloom: Uint8Array;
  readonly output: Uint8Array;
  /** Address of the contract that it makes, also of one that failed. */
  readonly contract: Address | null;
}

/** Receipt of a transaction that ran, to success or failure. */
export const executedReceipt = (
  transaction: VerifiedTransaction,
  { failed, gasUsed, logs, logsBloom, output, contract }: Executed,
  place: ReceiptPlace,
): Receipt => ({
  transactionHash: transaction.hash,
  transactionIndex: place.transactionIndex,
  type: transaction.type,
  from: transaction.sender,
  to: transaction.to,
  status: failed ? 0 : 1,
  gasUsed,
  cumulativeGasUsed: place.gasBefore + gasUsed,
  effectiveGasPrice: effectiveGasPrice(transaction, place.baseFee),
  contractAddress: transaction.to === null ? contract : null,
  logs,
  logsBloom,
  output,
});

/** Receipt of a transaction that could not be executed at its turn: nothing happened and nothing was paid. */
export const skippedReceipt = (transaction: VerifiedTransaction, place: ReceiptPlace): Receipt => ({
  transactionHash: transaction.hash,
  transactionIndex: place.transactionIndex,
  type: transaction.type,
  from: transaction.sender,
  to: transaction.to,
  status: 0,
  gasUsed: 0n,
  cumulativeGasUsed: place.gasBefore,
  effectiveGasPrice: effectiveGasPrice(transaction, place.baseFee),
  contractAddress: null,
  logs: [],
  logsBloom: emptyBloom,
  output: noBytes,
});

/** EIP-2718 encoding of a receipt, the value of the receipts trie. */
function encodeTrieReceipt(receipt: Receipt): Uint8Array {
  const logs = receipt.logs.map(({ address, topics, data }) => [address, [...topics], data]);
  const encoded = encodeRlp([receipt.status, receipt.cumulativeGasUsed, receipt.logsBloom, logs]);
  return receipt.type === 0 ? encoded : concatBytes(Uint8Array.of(receipt.type), encoded);
}

/** Root of the trie of receipts by the RLP of their index, as Ethereum's headers have it. */
export function receiptsRoot(receipts: readonly Receipt[]): Hash {
  const changes: TrieChange[] = receipts.map((receipt, index) => ({
    path: nibblesOf(encodeRlp(index)),
    value: encodeTrieReceipt(receipt),
  }));
  changes.sort((a, b) => comparePaths(a.path, b.path));
  // A trie that starts empty loads nothing and is not kept.
  const load = (hash: Uint8Array): never => {
    throw missingNode(hash);
  };
  return bytesToHash(rootHash(updateTrie(null, changes, { load, store: () => undefined, drop: () => undefined })));
}

/** Receipts root of a block without transactions. */
export const emptyReceiptsRoot: Hash = receiptsRoot([]);
