import { enqueueMethod } from '../../orders/bridgeActions.ts';

/** The first of two steps; the amount belongs to neither side until the second. */
export const enqueueOrdersToEvm = enqueueMethod(
  {
    name: 'primebridge_enqueueOrdersToEvm',
    summary:
      'Takes collateral of `from` out of the order book and queues it for the EVM account `to`; the dequeue method carries it out.',
    direction: 'orders_to_evm',
  },
  ({ to, amount }) => ({ type: 'withdraw', to, amount }),
);
