import { Bloom, type RunTxResult } from '@ethereumjs/vm';
import { encodeRlp, type Log, type Receipt, type VerifiedTransaction } from '@prime/codec';
import { bigintMin, bytesToAddress, bytesToHash, concatBytes, type Hash, hexToBytes } from '@prime/primitives';
import { comparePaths, missingNode, nibblesOf, rootHash, type TrieChange, updateTrie } from './trie/trie.ts';

const bloomLength = 256;
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

/** Receipt of a transaction that ran, to success or failure. */
export function executedReceipt(transaction: VerifiedTransaction, result: RunTxResult, place: ReceiptPlace): Receipt {
  const { execResult } = result;
  const failed = execResult.exceptionError !== undefined;
  const created = transaction.to === null ? result.createdAddress : undefined;
  return {
    transactionHash: transaction.hash,
    transactionIndex: place.transactionIndex,
    type: transaction.type,
    from: transaction.sender,
    to: transaction.to,
    status: failed ? 0 : 1,
    gasUsed: result.totalGasSpent,
    cumulativeGasUsed: place.gasBefore + result.totalGasSpent,
    effectiveGasPrice: effectiveGasPrice(transaction, place.baseFee),
    contractAddress: created === undefined ? null : bytesToAddress(created.bytes),
    logs: failed ? [] : (execResult.logs ?? []).map(toLog),
    logsBloom: result.bloom.bitvector,
    output: execResult.returnValue,
  };
}

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
  logsBloom: new Uint8Array(bloomLength),
  output: noBytes,
});

/** Bloom filter of logs (yellow paper, section 4.3.1). */
export function logsBloom(logs: readonly Log[]): Uint8Array {
  const bloom = new Bloom();
  for (const { address, topics } of logs) {
    bloom.add(hexToBytes(address));
    for (const topic of topics) bloom.add(hexToBytes(topic));
  }
  return bloom.bitvector;
}

const toLog = ([address, topics, data]: readonly [Uint8Array, Uint8Array[], Uint8Array]): Log => ({
  address: bytesToAddress(address),
  topics: topics.map(bytesToHash),
  data,
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
