import { defineMethod } from '../../define.ts';
import { toQuantity } from '../../format/quantity.ts';
import { quantityResult } from '../../resultSchemas.ts';

export const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Number of the newest committed block.',
  params: [],
  result: quantityResult,
  errors: [],
  privacy: 'public',
  examples: [{ params: [], result: '0x2a' }],
  handler: async ({ ports }) => toQuantity((await ports.chain.head()).block.header.height),
});
