import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../define.ts';
import { filterId, findFilter } from '../../filters.ts';
import { formatLog } from '../../format/log.ts';
import { disabledOnSurface } from '../../privacy.ts';
import { hashResult, logResult } from '../../resultSchemas.ts';
import { sample, sampleLog } from '../../samples.ts';

export const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  summary: 'What came since the last poll of a filter: hashes of blocks or transactions, or logs.',
  params: [required('filterId', filterId)],
  result: Type.Union([Type.Array(hashResult), Type.Array(logResult)]),
  errors: ['RPC_FILTER_NOT_FOUND', 'RPC_LIMIT_EXCEEDED', 'RPC_DISABLED_ON_SURFACE'],
  privacy: 'public',
  examples: [
    { params: [sample.filterId], result: [sample.hash], situation: 'after a block or transaction came' },
    { params: [sample.filterId], result: [sampleLog], situation: 'after a log came' },
  ],
  handler: async (context, id) => {
    const { filters } = context.ports;
    // A filter may be older than the fork.
    if (context.isPrivate && (await findFilter(context, id)).kind === 'logs')
      throw disabledOnSurface('eth_getFilterChanges');
    const changes = await filters.changes(id);
    return changes.kind === 'logs' ? changes.logs.map(formatLog) : changes.hashes;
  },
});
