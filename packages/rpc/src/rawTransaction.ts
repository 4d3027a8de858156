import { nativeTransactionBytesMax, nativeTransactionType } from '@prime/codec';
import type { Hex } from '@prime/primitives';
import { invalidParams, RpcError } from './errors.ts';
import type { RpcLimits } from './ports.ts';

/** EIP-2718 types that the chain executes; blobs (3) have no data layer here. */
const acceptedTypes: ReadonlySet<number> = new Set([1, 2, 4, nativeTransactionType]);
const blobType = 3;
/** A legacy transaction is an RLP list. */
const listBase = 0xc0;

/**
 * What the first byte and the length of a raw transaction tell, before it costs another thread anything.
 *
 * @throws RpcError `RPC_TRANSACTION_REFUSED`, `RPC_INVALID_PARAMS`
 */
export function checkRawTransaction(raw: Hex, limits: RpcLimits): void {
  const size = raw.length / 2 - 1;
  if (size === 0) throw invalidParams('transaction', 'is empty');
  const first = Number.parseInt(raw.slice(2, 4), 16);
  const bytesMax = first === nativeTransactionType ? nativeTransactionBytesMax : limits.transactionBytes;
  if (size > bytesMax) refuse(`oversized data: transaction size ${size}, limit ${bytesMax}`);
  if (first >= listBase || acceptedTypes.has(first)) return;
  refuse(`transaction type not supported${first === blobType ? ': blob transactions are not supported' : ''}`);
}

function refuse(words: string): never {
  throw new RpcError(words, { code: 'RPC_TRANSACTION_REFUSED' });
}
