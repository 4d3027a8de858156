import { defineMethod, required } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { blockSelector } from '../../../schema/valueTypes.ts';
import { sample } from '../../../schema/samples.ts';

/** Here for clients of proof-of-work times; the block is not looked up. */
export const getUncleCountByBlockNumber = defineMethod({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Always 0x0: blocks have no uncles.',
  params: [required('block', blockSelector)],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [sample.height], result: '0x0' }],
  handler: async () => '0x0',
});
