import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { filterId, findFilter, isHiddenWatch } from '../../../streams/filters.ts';
import { formatLog } from '../../../format/log.ts';
import { disabledOnSurface } from '../../../dispatch/privacy.ts';
import { hashResult, logResult, transactionResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleLog } from '../../../schema/samples.ts';
import { pendingTransactions } from '../../../lookup/transactions.ts';

/** Each change is told once; polling keeps the filter alive. */
export const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  summary: 'What came since the last poll of a filter: hashes of blocks or transactions, whole transactions, or logs.',
  params: [required('filterId', filterId)],
  result: Type.Union([Type.Array(hashResult), Type.Array(logResult), Type.Array(transactionResult)]),
  errors: ['RPC_FILTER_NOT_FOUND', 'RPC_LIMIT_EXCEEDED', 'RPC_DISABLED_ON_SURFACE'],
  privacy: 'public',
  examples: [
    { params: [sample.filterId], result: [sample.hash], situation: 'after a block or transaction came' },
    { params: [sample.filterId], result: [sampleLog], situation: 'after a log came' },
  ],
  handler: async (context, id) => {
    const { filters } = context.ports;
    // A filter may be older than the fork.
    if (context.isPrivate && isHiddenWatch(await findFilter(context, id)))
      throw disabledOnSurface('eth_getFilterChanges');
    const changes = await filters.changes(id);
    if (changes.kind === 'logs') return changes.logs.map(formatLog);
    return changes.kind === 'hashes' ? changes.hashes : pendingTransactions(context, changes.hashes);
  },
});
