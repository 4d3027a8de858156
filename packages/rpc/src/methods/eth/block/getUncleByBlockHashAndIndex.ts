import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { sample } from '../../../schema/samples.ts';
import { hash, index } from '../../../schema/valueTypes.ts';

/** Here for clients of proof-of-work times. */
export const getUncleByBlockHashAndIndex = defineMethod({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'Uncle of a block: always null, because decided blocks have no rivals.',
  params: [required('blockHash', hash), required('index', index)],
  result: Type.Null(),
  privacy: 'public',
  examples: [{ params: [sample.hash, '0x0'], result: null }],
  handler: async () => null,
});
