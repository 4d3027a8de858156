import { decodeRlp, type RlpItem } from '@prime/codec';
import {
  type Address,
  bytesToAddress,
  bytesToBigint,
  bytesToHash,
  bytesToHex,
  type Hash,
  type Hex,
} from '@prime/primitives';
import type { BlockRecord } from '../ports.ts';
import { RpcError } from '../errors.ts';
import { toQuantity, toTimestamp } from './quantity.ts';

/** Where a transaction stands in the chain; null while it is pooled. */
export interface TransactionPlace {
  readonly record: BlockRecord;
  readonly index: number;
}

type Json = Record<string, unknown>;

function malformed(what: string): never {
  throw new RpcError(`malformed transaction: ${what}`, { code: 'RPC_TRANSACTION_MALFORMED' });
}

const bytes = (item: RlpItem | undefined): Uint8Array =>
  ArrayBuffer.isView(item) ? (item as Uint8Array) : malformed('a list where bytes belong');
const list = (item: RlpItem | undefined): readonly RlpItem[] =>
  Array.isArray(item) ? item : malformed('bytes where a list belongs');
const number = (item: RlpItem | undefined): Hex => toQuantity(bytesToBigint(bytes(item)));
const recipient = (item: RlpItem | undefined): Address | null => {
  const to = bytes(item);
  return to.length === 0 ? null : bytesToAddress(to);
};

const accessList = (item: RlpItem | undefined): Json[] =>
  list(item).map((entry) => {
    const [target, keys] = list(entry);
    return { address: bytesToAddress(bytes(target)), storageKeys: list(keys).map((key) => bytesToHash(bytes(key))) };
  });

const authorizationList = (item: RlpItem | undefined): Json[] =>
  list(item).map((entry) => {
    const [chainId, target, nonce, yParity, r, s] = list(entry);
    return {
      chainId: number(chainId),
      address: bytesToAddress(bytes(target)),
      nonce: number(nonce),
      yParity: number(yParity),
      r: number(r),
      s: number(s),
    };
  });

const signature = (parity: RlpItem | undefined, r: RlpItem | undefined, s: RlpItem | undefined): Json => ({
  v: number(parity),
  yParity: number(parity),
  r: number(r),
  s: number(s),
});

/** nonce, gasPrice, gas, to, value, input and signature of a legacy transaction. */
function legacyFields(fields: readonly RlpItem[]): Json {
  const v = bytesToBigint(bytes(fields[6]));
  return {
    type: '0x0',
    nonce: number(fields[0]),
    gasPrice: number(fields[1]),
    gas: number(fields[2]),
    to: recipient(fields[3]),
    value: number(fields[4]),
    input: bytesToHex(bytes(fields[5])),
    // EIP-155: v = 35 + 2 * chain id + parity.
    ...(v >= 35n ? { chainId: toQuantity((v - 35n) / 2n) } : {}),
    v: toQuantity(v),
    r: number(fields[7]),
    s: number(fields[8]),
  };
}

function accessListFields(fields: readonly RlpItem[]): Json {
  return {
    type: '0x1',
    chainId: number(fields[0]),
    nonce: number(fields[1]),
    gasPrice: number(fields[2]),
    gas: number(fields[3]),
    to: recipient(fields[4]),
    value: number(fields[5]),
    input: bytesToHex(bytes(fields[6])),
    accessList: accessList(fields[7]),
    ...signature(fields[8], fields[9], fields[10]),
  };
}

/** Types 2 and 4 differ in the authorizations before the signature only. */
function dynamicFeeFields(type: 2 | 4, fields: readonly RlpItem[], baseFee: bigint | null): Json {
  const maxPriorityFee = bytesToBigint(bytes(fields[2]));
  const maxFee = bytesToBigint(bytes(fields[3]));
  const paid = baseFee !== null && baseFee + maxPriorityFee < maxFee ? baseFee + maxPriorityFee : maxFee;
  const afterList = type === 4 ? 10 : 9;
  return {
    type: toQuantity(type),
    chainId: number(fields[0]),
    nonce: number(fields[1]),
    maxPriorityFeePerGas: toQuantity(maxPriorityFee),
    maxFeePerGas: toQuantity(maxFee),
    gasPrice: toQuantity(paid),
    gas: number(fields[4]),
    to: recipient(fields[5]),
    value: number(fields[6]),
    input: bytesToHex(bytes(fields[7])),
    accessList: accessList(fields[8]),
    ...(type === 4 ? { authorizationList: authorizationList(fields[9]) } : {}),
    ...signature(fields[afterList], fields[afterList + 1], fields[afterList + 2]),
  };
}

function decodedFields(raw: Uint8Array, baseFee: bigint | null): Json {
  const type = raw[0] ?? malformed('it is empty');
  if (type >= 0xc0) return legacyFields(list(decodeRlp(raw)));
  const fields = list(decodeRlp(raw.subarray(1)));
  if (type === 1) return accessListFields(fields);
  if (type === 2 || type === 4) return dynamicFeeFields(type, fields, baseFee);
  return malformed(`type ${type}`);
}

/**
 * Transaction object of execution-apis from an EIP-2718 encoding.
 *
 * @throws PrimeError `RPC_TRANSACTION_MALFORMED`, `CODEC_RLP_MALFORMED`
 */
export function formatTransaction(raw: Uint8Array, hash: Hash, from: Address, place: TransactionPlace | null): Json {
  const header = place?.record.block.header ?? null;
  return {
    hash,
    from,
    ...decodedFields(raw, header?.baseFee ?? null),
    blockHash: place?.record.hash ?? null,
    blockNumber: header === null ? null : toQuantity(header.height),
    blockTimestamp: header === null ? null : toTimestamp(header.timestampMs),
    transactionIndex: place === null ? null : toQuantity(place.index),
  };
}
