import { Type } from '@sinclair/typebox';
import { defineMethod, optional } from '../../../define.ts';
import { sample } from '../../../schema/samples.ts';
import { boolean } from '../../../schema/valueTypes.ts';

/** Whole transactions are for the operator's surface after the privacy fork. */
export const newPendingTransactionFilter = defineMethod({
  name: 'eth_newPendingTransactionFilter',
  summary:
    'Installs a filter for transactions that become executable in the mempool, and answers its id; it tells their hashes, or with `true` whole transactions.',
  params: [optional('fullTransactions', boolean)],
  result: Type.String({ pattern: '^0x[1-9a-f][0-9a-f]{31}$' }),
  errors: ['RPC_LIMIT_EXCEEDED', 'RPC_DISABLED_ON_SURFACE'],
  privacy: (full) => full === true,
  examples: [
    { params: [], result: sample.filterId },
    { params: [true], result: sample.filterId },
  ],
  handler: async ({ ports, request }, full = false) =>
    ports.filters.install(request.client, { kind: 'pendingTransactions', full }),
});
