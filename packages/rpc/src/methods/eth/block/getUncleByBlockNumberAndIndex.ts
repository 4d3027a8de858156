import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { blockSelector, index } from '../../../schema/valueTypes.ts';

/** Here for clients of proof-of-work times. */
export const getUncleByBlockNumberAndIndex = defineMethod({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'Uncle of a block: always null, because decided blocks have no rivals.',
  params: [required('block', blockSelector), required('index', index)],
  result: Type.Null(),
  privacy: 'public',
  examples: [{ params: ['0x2a', '0x0'], result: null }],
  handler: async () => null,
});
