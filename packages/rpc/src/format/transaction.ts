import {
  decodeUnboundedTransaction,
  type SignedAuthorization,
  type TransactionFields,
  transactionTypes,
} from '@prime/codec';
import { type Address, bigintMin, bytesToHex, type Hash, isPrimeError, toQuantity } from '@prime/primitives';
import type { Json } from './format.ts';
import type { BlockRecord } from '../ports/chainPorts.ts';
import { RpcError } from '../errors/errors.ts';
import { toTimestamp } from './quantity.ts';

/** Where a transaction stands in the chain; null while it is pooled. */
export interface TransactionPlace {
  readonly record: BlockRecord;
  readonly index: number;
}

const authorizationFields = (authorization: SignedAuthorization): Json => ({
  chainId: toQuantity(authorization.chainId),
  address: authorization.address,
  nonce: toQuantity(authorization.nonce),
  yParity: toQuantity(authorization.yParity),
  r: toQuantity(authorization.r),
  s: toQuantity(authorization.s),
});

/** What the sender bids, and as gasPrice what is paid once the base fee is known. */
function priceFields(fields: TransactionFields, baseFee: bigint | null): Json {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fields;
  if (maxFeePerGas === null || maxPriorityFeePerGas === null) return { gasPrice: toQuantity(gasPrice ?? 0n) };
  const paid = baseFee === null ? maxFeePerGas : bigintMin(maxFeePerGas, baseFee + maxPriorityFeePerGas);
  return {
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
    maxFeePerGas: toQuantity(maxFeePerGas),
    gasPrice: toQuantity(paid),
  };
}

function fieldsOf(raw: Uint8Array): TransactionFields {
  try {
    return decodeUnboundedTransaction(raw);
  } catch (cause) {
    if (!isPrimeError(cause)) throw cause;
    throw new RpcError(`malformed transaction: ${cause.message}`, { code: 'RPC_TRANSACTION_MALFORMED' }, { cause });
  }
}

/** A legacy transaction has no lists, its parity is in v, and its chain id is there only with replay protection. */
function decodedFields(raw: Uint8Array, baseFee: bigint | null): Json {
  const fields = fieldsOf(raw);
  const { type, chainId, accessList, authorizationList } = fields;
  const chain = chainId === null ? {} : { chainId: toQuantity(chainId) };
  const isLegacy = type === transactionTypes.legacy;
  return {
    type: toQuantity(type),
    ...(isLegacy ? {} : chain),
    nonce: toQuantity(fields.nonce),
    ...priceFields(fields, baseFee),
    gas: toQuantity(fields.gasLimit),
    to: fields.to,
    value: toQuantity(fields.value),
    input: bytesToHex(fields.input),
    ...(isLegacy ? chain : { accessList }),
    ...(authorizationList === null ? {} : { authorizationList: authorizationList.map(authorizationFields) }),
    v: toQuantity(fields.v),
    ...(isLegacy ? {} : { yParity: toQuantity(fields.yParity) }),
    r: toQuantity(fields.r),
    s: toQuantity(fields.s),
  };
}

/**
 * Transaction object of execution-apis from an EIP-2718 encoding.
 *
 * @throws RpcError `RPC_TRANSACTION_MALFORMED`
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
