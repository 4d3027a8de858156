import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../define.ts';

/** What bug reports and network statistics ask for. */
export const clientVersion = defineMethod({
  name: 'web3_clientVersion',
  summary: 'Name and version of the node software.',
  params: [],
  result: Type.String({ pattern: '^[^/]+/.+$' }),
  privacy: 'public',
  examples: [{ params: [], result: 'prime/0.1.0' }],
  handler: async ({ info }) => info.clientVersion,
});
