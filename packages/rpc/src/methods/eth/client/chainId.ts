import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';

/** The id that signatures are bound to (EIP-155, EIP-695). */
export const chainId = defineMethod({
  name: 'eth_chainId',
  summary: 'Chain id of the network.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [], result: '0x1eef' }],
  handler: ({ info }) => toQuantity(info.chainId),
});
