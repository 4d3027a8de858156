import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import { blobBaseFee } from '../../../execution/fees.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';

/** Here for clients that ask before any transaction (EIP-4844, EIP-7516). */
export const getBlobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  summary: 'Price of blob gas in wei: always the least one, because this chain takes no blobs.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  examples: [{ params: [], result: '0x1' }],
  handler: async () => toQuantity(blobBaseFee),
});
