import { sendObject } from '../../../execution/callObjects.ts';
import { defineMethod, required } from '../../../define.ts';
import { fillRequest, requireHeld } from '../../../execution/fillTransaction.ts';
import { dataResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

/** Reserves no nonce: what is signed next gets the same one until something is submitted. */
export const signTransaction = defineMethod({
  name: 'eth_signTransaction',
  summary: 'Signs a transaction with an account that the node holds and returns its encoding; nothing is submitted.',
  params: [required('transaction', sendObject)],
  result: dataResult,
  privacy: 'public',
  errors: ['RPC_UNKNOWN_ACCOUNT', 'RPC_TRANSACTION_REFUSED', 'RPC_EXECUTION_REVERTED'],
  examples: [{ params: [{ from: sample.address, to: sample.otherAddress, value: '0x1' }], result: '0x02f86c' }],
  handler: async (context, request) => {
    await requireHeld(context, request.from);
    return context.ports.accounts.sign(await fillRequest(context, request));
  },
});
