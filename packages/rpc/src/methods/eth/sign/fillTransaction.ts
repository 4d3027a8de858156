import { unsignedTransaction } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { bytesToHex } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { fillObject } from '../../../execution/callObjects.ts';
import { defineMethod, required } from '../../../define.ts';
import { fillRequest } from '../../../execution/fillTransaction.ts';
import { formatTransaction } from '../../../format/transaction.ts';
import { dataResult, transactionResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleTransaction } from '../../../schema/samples.ts';

/** Only what is in a block has these. */
const placeFields: ReadonlySet<string> = new Set(['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex']);
const withoutPlace = (transaction: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(transaction).filter(([name]) => !placeFields.has(name)));

/** go-ethereum's method for clients that sign elsewhere. */
export const fillTransaction = defineMethod({
  name: 'eth_fillTransaction',
  summary: 'Fills in nonce, gas and fees of a transaction and returns it unsigned: its encoding and its fields.',
  params: [required('transaction', fillObject)],
  result: Type.Object({
    raw: dataResult,
    tx: Type.Omit(transactionResult, ['blockNumber', 'blockHash', 'transactionIndex'], {
      title: 'UnplacedTransaction',
    }),
  }),
  privacy: 'public',
  errors: ['RPC_TRANSACTION_REFUSED', 'RPC_EXECUTION_REVERTED', 'RPC_EXECUTION_FAILED'],
  examples: [
    {
      params: [{ from: sample.address, to: sample.otherAddress, value: '0x1' }],
      result: { raw: '0x02f86c', tx: withoutPlace(sampleTransaction) },
    },
  ],
  handler: async (context, request) => {
    const filled = await fillRequest(context, request);
    const nonce = filled.nonce ?? (await context.ports.pool.pendingNonce(request.from));
    const raw = unsignedTransaction(context.info.chainId, nonce, filled).encode(null);
    return { raw: bytesToHex(raw), tx: withoutPlace(formatTransaction(raw, keccakHex(raw), request.from, null)) };
  },
});
