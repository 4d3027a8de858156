import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { filterId, filterNotFound, findFilter } from '../../../streams/filters.ts';
import { formatLog } from '../../../format/log.ts';
import { logQuery } from '../../../lookup/logQuery.ts';
import { logResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleLog } from '../../../schema/samples.ts';

/** Takes nothing from what the next poll tells. Other kinds of filters have no logs: `RPC_FILTER_NOT_FOUND`. */
export const getFilterLogs = defineMethod({
  name: 'eth_getFilterLogs',
  summary: 'All logs that match a log filter: what eth_getLogs answers to its parameters now.',
  params: [required('filterId', filterId)],
  result: Type.Array(logResult),
  errors: ['RPC_FILTER_NOT_FOUND', 'RPC_BLOCK_NOT_FOUND', 'RPC_LIMIT_EXCEEDED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [{ params: [sample.filterId], result: [sampleLog] }],
  handler: async (context, id) => {
    const watch = await findFilter(context, id);
    if (watch.kind !== 'logs') throw filterNotFound();
    const query = await logQuery(context, watch.filter);
    return query === null ? [] : (await context.ports.chain.logs(query)).map(formatLog);
  },
});
