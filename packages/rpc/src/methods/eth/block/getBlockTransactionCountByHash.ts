import { toQuantity } from '@prime/primitives';
import { defineMethod, required } from '../../../define.ts';
import { orNull, quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { hash } from '../../../schema/valueTypes.ts';

/** Says how far `eth_getTransactionByBlockHashAndIndex` can count. */
export const getBlockTransactionCountByHash = defineMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Number of transactions in a block; null when there is no such block.',
  params: [required('blockHash', hash)],
  result: orNull(quantityResult),
  privacy: 'public',
  examples: [{ params: [sample.otherHash], result: '0x1' }],
  handler: async ({ ports }, blockHash) => {
    const record = await ports.chain.blockByHash(blockHash);
    return record === null ? null : toQuantity(record.block.transactions.length);
  },
});
