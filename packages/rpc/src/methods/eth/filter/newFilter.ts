import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { logFilter } from '../../../lookup/logFilter.ts';
import { logCriteria } from '../../../lookup/logQuery.ts';
import { sample } from '../../../schema/samples.ts';

/** The filter object is read once for polls, and anew each time for `eth_getFilterLogs`. */
export const newFilter = defineMethod({
  name: 'eth_newFilter',
  summary: 'Installs a filter for logs of new blocks and answers its id; eth_getFilterChanges asks it.',
  params: [required('filter', logFilter)],
  result: Type.String({ pattern: '^0x[1-9a-f][0-9a-f]{31}$' }),
  errors: ['RPC_LIMIT_EXCEEDED'],
  privacy: 'operatorAfterFork',
  examples: [{ params: [{ address: sample.address, topics: [] }], result: sample.filterId }],
  handler: async (context, filter) => {
    const criteria = await logCriteria(context, filter);
    return context.ports.filters.install(context.request.client, { kind: 'logs', criteria, filter });
  },
});
