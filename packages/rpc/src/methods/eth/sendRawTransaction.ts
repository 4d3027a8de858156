import { defineMethod, required } from '../../define.ts';
import { invalidParams, RpcError } from '../../errors.ts';
import { hashResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';
import { data } from '../../valueTypes.ts';
import type { Hex } from '@prime/primitives';

/** EIP-2718 types that the chain executes; blobs (3) have no data layer here. */
const acceptedTypes: ReadonlySet<number> = new Set([1, 2, 4]);
const blobType = 3;
/** A legacy transaction is an RLP list. */
const listBase = 0xc0;

function checkType(raw: Hex, bytesMax: number): void {
  const size = raw.length / 2 - 1;
  if (size === 0) throw invalidParams('transaction', 'is empty');
  if (size > bytesMax)
    throw new RpcError(`oversized data: transaction size ${size}, limit ${bytesMax}`, {
      code: 'RPC_TRANSACTION_REFUSED',
    });
  const first = Number.parseInt(raw.slice(2, 4), 16);
  if (first >= listBase || acceptedTypes.has(first)) return;
  const words = first === blobType ? ': blob transactions are not supported' : '';
  throw new RpcError(`transaction type not supported${words}`, { code: 'RPC_TRANSACTION_REFUSED' });
}

export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Submits a signed transaction (legacy with EIP-155, 2930, 1559 or 7702) and returns its hash.',
  params: [required('transaction', data)],
  result: hashResult,
  errors: ['RPC_TRANSACTION_REFUSED'],
  privacy: 'public',
  examples: [{ params: ['0x02f86c'], result: sample.hash }],
  handler: async ({ ports, info }, raw) => {
    checkType(raw, info.limits.transactionBytes);
    return ports.pool.submit(raw);
  },
});
