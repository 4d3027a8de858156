import { defineMethod } from '../../define.ts';
import { quantityResult } from '../../resultSchemas.ts';

/** The least that EIP-4844 has; without blobs it never rises, and BLOBBASEFEE in a contract says the same. */
const blobBaseFeeMin = '0x1';

export const blobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  summary: 'Price of blob gas in wei: always the least one, because this chain takes no blobs.',
  params: [],
  result: quantityResult,
  privacy: 'public',
  errors: [],
  examples: [{ params: [], result: blobBaseFeeMin }],
  handler: async () => blobBaseFeeMin,
});
