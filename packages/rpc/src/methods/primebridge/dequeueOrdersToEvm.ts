import { dequeueMethod } from '../../orders/bridgeActions.ts';

/** Needs no right over the accounts: the queue says who gets what. */
export const dequeueOrdersToEvm = dequeueMethod({
  name: 'primebridge_dequeueOrdersToEvm',
  summary:
    'Carries out queued transfers to EVM balances, first in, first out, at most 1000; answers which, and how many still wait.',
  direction: 'orders_to_evm',
});
