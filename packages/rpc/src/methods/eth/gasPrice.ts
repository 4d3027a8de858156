import { defineMethod } from '../../define.ts';
import { suggestedPriorityFee } from '../../fees.ts';
import { toQuantity } from '../../format/quantity.ts';
import { quantityResult } from '../../resultSchemas.ts';

export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary: 'Price per gas in wei that gets a transaction into the next block: its base fee and the suggested tip.',
  params: [],
  result: quantityResult,
  errors: [],
  privacy: 'public',
  examples: [{ params: [], result: '0x77359400' }],
  handler: async (context) => {
    const [baseFee, tip] = await Promise.all([context.ports.chain.nextBaseFee(), suggestedPriorityFee(context)]);
    return toQuantity(baseFee + tip);
  },
});
