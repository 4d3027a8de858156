import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../define.ts';

/** The same number as `eth_chainId`, in another notation. */
export const version = defineMethod({
  name: 'net_version',
  summary: 'Network id as a decimal string.',
  params: [],
  result: Type.String({ pattern: '^[0-9]+$' }),
  privacy: 'public',
  examples: [{ params: [], result: '7919' }],
  handler: async ({ info }) => String(info.chainId),
});
