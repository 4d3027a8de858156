import { stateAt } from '../../blocks.ts';
import { sendObject } from '../../callObjects.ts';
import { boundGas, successOf } from '../../calls.ts';
import { defineMethod, type MethodContext, required } from '../../define.ts';
import { invalidParams, RpcError } from '../../errors.ts';
import { suggestedPriorityFee } from '../../fees.ts';
import type { CallRequest, SendRequest } from '../../ports.ts';
import { hashResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';
import { latest } from '../../valueTypes.ts';

/** Fees that the request leaves open: room for the base fee to double, as wallets do. */
async function feesOf(context: MethodContext, request: CallRequest): Promise<SendRequest['fees']> {
  if (request.gasPrice !== null) return { kind: 'legacy', gasPrice: request.gasPrice };
  const maxPriorityFeePerGas = request.maxPriorityFeePerGas ?? (await suggestedPriorityFee(context));
  if (request.maxFeePerGas === null) {
    const baseFee = await context.ports.chain.nextBaseFee();
    return { kind: 'dynamic', maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas };
  }
  // A suggested tip must not make the caller's own maximum invalid.
  const { maxFeePerGas } = request;
  const tip = maxPriorityFeePerGas < maxFeePerGas ? maxPriorityFeePerGas : maxFeePerGas;
  return { kind: 'dynamic', maxFeePerGas, maxPriorityFeePerGas: tip };
}

async function gasOf(context: MethodContext, request: CallRequest): Promise<bigint> {
  if (request.gas !== null) return request.gas;
  const at = await stateAt(context, latest);
  return successOf(await context.ports.state.estimateGas(boundGas(context, request), at)).gasUsed;
}

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
    const { from, to, value, data, nonce } = request;
    if (to === null && data === '0x') throw invalidParams('transaction', 'contract creation without any data provided');
    if (!(await context.ports.accounts.addresses()).includes(from))
      throw new RpcError('unknown account', { code: 'RPC_UNKNOWN_ACCOUNT', address: from });
    const [fees, gas] = await Promise.all([feesOf(context, request), gasOf(context, request)]);
    const accessList = request.accessList ?? [];
    return context.ports.accounts.send({ from, to, value, data, gas, nonce, accessList, fees });
  },
});
