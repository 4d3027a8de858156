import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { suggestedPriorityFee } from '../../../execution/fees.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';

/** For legacy transactions; others ask `eth_feeHistory` or `eth_maxPriorityFeePerGas`. */
export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary:
    'Price per gas in wei that is enough for a call on the head and for the next block: the higher of their base fees and the suggested tip.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  fixedAtHead: true,
  examples: [{ params: [], result: '0x77359400' }],
  handler: async (context) => {
    const { chain } = context.ports;
    const [head, next, tip] = await Promise.all([chain.head(), chain.nextBaseFee(), suggestedPriorityFee(context)]);
    // Clients estimate with the price that they were given, and estimates run on the head: while the base fee falls, the
    // next block's alone would be refused there.
    const { baseFee } = head.block.header;
    return toQuantity((baseFee > next ? baseFee : next) + tip);
  },
});
