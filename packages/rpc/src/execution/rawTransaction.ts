import { blobTransactionType, nativeTransactionBytesMax, nativeTransactionType, transactionTypeOf } from '@prime/codec';
import type { Hex } from '@prime/primitives';
import { invalidParams, RpcError } from '../errors/errors.ts';
import type { RpcLimits } from '../ports/ports.ts';

/**
 * What the first byte and the length of a raw transaction tell, before it costs another thread anything.
 *
 * @throws RpcError `RPC_TRANSACTION_REFUSED`, `RPC_INVALID_PARAMS`
 */
export function checkRawTransaction(raw: Hex, limits: RpcLimits): void {
  const size = raw.length / 2 - 1;
  if (size === 0) throw invalidParams('transaction', 'is empty');
  const first = Number.parseInt(raw.slice(2, 4), 16);
  const isNative = first === nativeTransactionType;
  const bytesMax = isNative ? nativeTransactionBytesMax : limits.transactionBytes;
  if (size > bytesMax) refuse(`oversized data: transaction size ${size}, limit ${bytesMax}`);
  if (isNative || transactionTypeOf(first) !== null) return;
  refuse(
    `transaction type not supported${first === blobTransactionType ? ': blob transactions are not supported' : ''}`,
  );
}

function refuse(words: string): never {
  throw new RpcError(words, { code: 'RPC_TRANSACTION_REFUSED' });
}
