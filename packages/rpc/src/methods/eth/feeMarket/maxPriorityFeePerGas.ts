import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { suggestedPriorityFee } from '../../../execution/fees.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';

/** A suggestion for transactions with EIP-1559 fees. */
export const maxPriorityFeePerGas = defineMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Suggested tip per gas in wei, learnt from the transactions of recent blocks.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  fixedAtHead: true,
  examples: [{ params: [], result: '0x3b9aca00' }],
  handler: async (context) => toQuantity(await suggestedPriorityFee(context)),
});
