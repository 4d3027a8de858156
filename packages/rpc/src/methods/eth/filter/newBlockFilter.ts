import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../../define.ts';
import { sample } from '../../../schema/samples.ts';

/** The id is random, so that nobody reads the filter of somebody else. */
export const newBlockFilter = defineMethod({
  name: 'eth_newBlockFilter',
  summary: 'Installs a filter for hashes of new blocks and answers its id; eth_getFilterChanges asks it.',
  params: [],
  result: Type.String({ pattern: '^0x[1-9a-f][0-9a-f]{31}$' }),
  errors: ['RPC_LIMIT_EXCEEDED'],
  privacy: 'public',
  examples: [{ params: [], result: sample.filterId }],
  handler: async ({ ports, request }) => ports.filters.install(request.client, { kind: 'blocks' }),
});
