import { hexToBytes } from '@prime/primitives';
import { defineMethod, optional, required } from '../../../define.ts';
import { RpcError } from '../../../errors/errors.ts';
import { checkRawTransaction } from '../../../execution/rawTransaction.ts';
import { ethReceiptResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleEthReceipt } from '../../../schema/samples.ts';
import { receiptByHash } from '../../../lookup/transactions.ts';
import { data, index } from '../../../schema/valueTypes.ts';

/** EIP-7966. */
export const sendRawTransactionSync = defineMethod({
  name: 'eth_sendRawTransactionSync',
  summary:
    'Submits a signed transaction and answers with its receipt once it is in a block; the second parameter bounds the wait in ms. Error 4: not in a block in time (data is its hash). Error 6: behind a gap of nonces, and not taken (data is the next nonce).',
  params: [required('transaction', data), optional('timeoutMs', index)],
  result: ethReceiptResult,
  privacy: 'public',
  errors: ['RPC_TRANSACTION_REFUSED', 'RPC_TRANSACTION_NOT_MINED'],
  examples: [{ params: [sample.otherRawTransaction, '0x1388'], result: sampleEthReceipt }],
  handler: async (context, raw, wanted = 0) => {
    const { ports, info } = context;
    const { sendSyncMs, sendSyncMsMax } = info.limits;
    const timeoutMs = Math.min(wanted === 0 ? sendSyncMs : wanted, sendSyncMsMax);
    checkRawTransaction(raw, info.limits);
    const hash = await ports.pool.submitReady(hexToBytes(raw));
    const receipt = (await ports.chain.untilIncluded(hash, timeoutMs)) ? await receiptByHash(context, hash) : null;
    if (receipt !== null) return receipt;
    throw new RpcError(`The transaction was added to the transaction pool but wasn't processed in ${timeoutMs} ms`, {
      code: 'RPC_TRANSACTION_NOT_MINED',
      hash,
      timeoutMs,
    });
  },
});
