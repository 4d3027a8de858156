import { hexToBytes } from '@prime/primitives';
import { defineMethod, required } from '../../../define.ts';
import { checkRawTransaction } from '../../../execution/rawTransaction.ts';
import { hashResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { data } from '../../../schema/valueTypes.ts';

/** Answers after admission to the mempool, not after a block. */
export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary:
    'Submits a signed transaction and returns its hash: legacy with EIP-155, 2930, 1559, 7702, or a native one (0x50) of the order book.',
  params: [required('transaction', data)],
  result: hashResult,
  errors: ['RPC_TRANSACTION_REFUSED'],
  privacy: 'public',
  examples: [{ params: [sample.rawTransaction], result: sample.rawTransactionHash }],
  handler: async ({ ports, info }, raw) => {
    checkRawTransaction(raw, info.limits);
    return ports.pool.submit(hexToBytes(raw));
  },
});
