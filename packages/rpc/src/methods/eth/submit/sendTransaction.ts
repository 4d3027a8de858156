import { sendObject } from '../../../execution/callObjects.ts';
import { defineMethod, required } from '../../../define.ts';
import { fillRequest, requireHeld } from '../../../execution/fillTransaction.ts';
import { hashResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

/** For nodes of development that hold unlocked accounts. */
export const sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  summary:
    'Signs a transaction with an account that the node holds and submits it; missing nonce, gas and fees are filled in.',
  params: [required('transaction', sendObject)],
  result: hashResult,
  errors: ['RPC_UNKNOWN_ACCOUNT', 'RPC_TRANSACTION_REFUSED', 'RPC_EXECUTION_REVERTED'],
  privacy: 'public',
  examples: [{ params: [{ from: sample.address, to: sample.otherAddress, value: '0x1' }], result: sample.hash }],
  handler: async (context, request) => {
    await requireHeld(context, request.from);
    return context.ports.accounts.send(await fillRequest(context, request));
  },
});
