import { dequeueMethod } from '../../orders/bridgeActions.ts';

/** Needs no right over the accounts: the queue says who gets what. */
export const dequeueEvmToOrders = dequeueMethod({
  name: 'primebridge_dequeueEvmToOrders',
  summary:
    'Carries out queued transfers to collateral, first in, first out, at most 1000; answers which, and how many still wait.',
  direction: 'evm_to_orders',
});
