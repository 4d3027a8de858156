import { authorization } from '../../orders/authorization.ts';
import { formatQueued, queuedResult, transfer } from '../../orders/bridgeActions.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { execute } from '../../orders/orderActions.ts';
import { sample } from '../../schema/samples.ts';

/** The first of two steps; the amount belongs to neither side until the second. */
export const enqueueEvmToOrders = defineMethod({
  name: 'primebridge_enqueueEvmToOrders',
  summary:
    'Takes wei from the EVM balance of `from` and queues them as collateral of `to`; the dequeue method carries it out.',
  params: [required('transfer', transfer), optional('authorization', authorization)],
  result: queuedResult,
  errors: ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'],
  privacy: 'public',
  examples: [
    {
      params: [{ from: sample.address, to: sample.otherAddress, amount: '0x3e8' }],
      result: {
        transfer_id: '0x2',
        direction: 'evm_to_orders',
        from: sample.address,
        to: sample.otherAddress,
        amount: '0x3e8',
        status: 'queued',
        block_number: sample.height,
      },
    },
  ],
  handler: async (context, { from, to, amount }, signed) =>
    formatQueued(await execute(context, 'transferQueued', from, { type: 'enqueueEvmToOrders', to, amount }, signed)),
});
