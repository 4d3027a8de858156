import {
  type ActionResult,
  decodeNativeTransaction,
  encodeActionResult,
  nativeTransactionType,
  ordersAddress,
} from '@prime/codec';
import { bytesToBigint, bytesToHex, type Hash, toQuantity } from '@prime/primitives';
import type { Json } from './format.ts';
import type { BlockRecord } from '../ports/ports.ts';
import { toTimestamp } from './quantity.ts';

/**
 * Native transactions in the shapes that clients know from Ethereum: sent by the account that they are for, to the order book's
 * address, for no gas. They stand behind the EVM transactions of their block.
 */

const emptyBloom = `0x${'0'.repeat(512)}`;

const fieldToJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return toQuantity(value);
  if (ArrayBuffer.isView(value)) return bytesToHex(value as Uint8Array);
  if (Array.isArray(value)) return value.map(fieldToJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fieldToJson(field)]));
};

/** Where an action of the order book stands in the chain. */
export interface NativePlace {
  readonly record: BlockRecord;
  /** Among the block's actions. */
  readonly index: number;
}

const placeFields = (place: NativePlace | null): Json => {
  const header = place?.record.block.header ?? null;
  return {
    blockHash: place?.record.hash ?? null,
    blockNumber: header === null ? null : toQuantity(header.height),
    blockTimestamp: header === null ? null : toTimestamp(header.timestampMs),
    transactionIndex: place === null ? null : toQuantity(indexOf(place)),
  };
};

const indexOf = ({ record, index }: NativePlace): number => record.block.transactions.length + index;

/** Transaction object of a native transaction; `action` has what it does. */
export function formatNativeTransaction(raw: Uint8Array, hash: Hash, place: NativePlace | null): Json {
  const transaction = decodeNativeTransaction(raw);
  const { signature } = transaction;
  const parity = toQuantity(signature[64]!);
  return {
    hash,
    type: toQuantity(nativeTransactionType),
    chainId: toQuantity(transaction.chainId),
    nonce: toQuantity(transaction.nonce),
    from: transaction.account,
    to: ordersAddress,
    value: '0x0',
    gas: '0x0',
    gasPrice: '0x0',
    input: bytesToHex(raw),
    expiresAt: toQuantity(transaction.expiresAt),
    signatureKind: transaction.signatureKind,
    action: fieldToJson(transaction.payload),
    v: parity,
    yParity: parity,
    r: toQuantity(bytesToBigint(signature.subarray(0, 32))),
    s: toQuantity(bytesToBigint(signature.subarray(32, 64))),
    ...placeFields(place),
  };
}

/** Receipt of a native transaction: no gas, no logs, and the RLP of its result as output. */
export function formatNativeReceipt(place: NativePlace, result: ActionResult): Json {
  const { record, index } = place;
  const hash = record.actionHashes[index]!;
  const height = toQuantity(record.block.header.height);
  const { account } = decodeNativeTransaction(record.block.actions[index]!);
  const document = {
    transaction_hash: hash,
    block_hash: record.hash,
    block_number: height,
    transaction_index: toQuantity(indexOf(place)),
    status: result.ok ? '0x1' : '0x0',
    gas_used: '0x0',
    output: bytesToHex(encodeActionResult(result)),
    logs: [],
    contract_address: null,
  };
  return {
    type: toQuantity(nativeTransactionType),
    transactionHash: hash,
    transactionIndex: document.transaction_index,
    blockHash: record.hash,
    blockNumber: height,
    from: account,
    to: ordersAddress,
    cumulativeGasUsed: toQuantity(record.roots.gasUsed),
    gasUsed: '0x0',
    effectiveGasPrice: '0x0',
    contractAddress: null,
    logsBloom: emptyBloom,
    ...document,
  };
}
