import { authorization } from '../../orders/authorization.ts';
import { formatQueued, queuedResult, transfer } from '../../orders/bridgeActions.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { execute } from '../../orders/orderActions.ts';
import { sample } from '../../schema/samples.ts';

/** The first of two steps; the amount belongs to neither side until the second. */
export const enqueueOrdersToEvm = defineMethod({
  name: 'primebridge_enqueueOrdersToEvm',
  summary:
    'Takes collateral of `from` out of the order book and queues it for the EVM account `to`; the dequeue method carries it out.',
  params: [required('transfer', transfer), optional('authorization', authorization)],
  result: queuedResult,
  errors: ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'],
  privacy: 'public',
  examples: [
    {
      params: [{ from: sample.address, to: sample.otherAddress, amount: '0x3e8' }],
      result: {
        transfer_id: '0x1',
        direction: 'orders_to_evm',
        from: sample.address,
        to: sample.otherAddress,
        amount: '0x3e8',
        status: 'queued',
        block_number: sample.height,
      },
    },
  ],
  handler: async (context, { from, to, amount }, signed) =>
    formatQueued(await execute(context, 'transferQueued', from, { type: 'withdraw', amount, to }, signed)),
});
