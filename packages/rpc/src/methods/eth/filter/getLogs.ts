import { Type } from '@sinclair/typebox';
import { JsonText } from '../../../dispatch/answerCache.ts';
import { defineMethod, required } from '../../../define.ts';
import { logText } from '../../../format/log.ts';
import { logFilter } from '../../../lookup/logFilter.ts';
import { logQuery } from '../../../lookup/logQuery.ts';
import { logResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleLog } from '../../../schema/samples.ts';

/** Ascending by block and place; ranges and answers beyond the limits are refused, never cut. */
export const getLogs = defineMethod({
  name: 'eth_getLogs',
  summary: 'Logs of a block range or of one block, filtered by address and topics.',
  params: [required('filter', logFilter)],
  result: Type.Array(logResult),
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_LIMIT_EXCEEDED', 'RPC_HISTORY_PRUNED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    { params: [{ fromBlock: '0x1', toBlock: 'latest', address: sample.contract, topics: [] }], result: [sampleLog] },
  ],
  handler: async (context, filter) => {
    const query = await logQuery(context, filter);
    if (query === null) return [];
    const logs = await context.ports.chain.logs(query);
    return new JsonText(`[${logs.map(logText).join(',')}]`);
  },
});
