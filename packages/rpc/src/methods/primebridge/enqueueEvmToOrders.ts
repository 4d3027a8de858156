import { enqueueMethod } from '../../orders/bridgeActions.ts';

/** The first of two steps; the amount belongs to neither side until the second. */
export const enqueueEvmToOrders = enqueueMethod(
  {
    name: 'primebridge_enqueueEvmToOrders',
    summary:
      'Takes wei from the EVM balance of `from` and queues them as collateral of `to`; the dequeue method carries it out.',
    direction: 'evm_to_orders',
  },
  ({ to, amount }) => ({ type: 'enqueueEvmToOrders', to, amount }),
);
