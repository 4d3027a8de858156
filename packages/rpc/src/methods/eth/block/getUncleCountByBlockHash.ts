import { defineMethod, required } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { hash } from '../../../schema/valueTypes.ts';

/** Here for clients of proof-of-work times; the block is not looked up. */
export const getUncleCountByBlockHash = defineMethod({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Always 0x0: blocks have no uncles.',
  params: [required('blockHash', hash)],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [sample.otherHash], result: '0x0' }],
  handler: async () => '0x0',
});
