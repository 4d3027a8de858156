import { toQuantity } from '@prime/primitives';
import { findBlock } from '../../../lookup/blocks.ts';
import { defineMethod, required } from '../../../define.ts';
import { orNull, quantityResult } from '../../../schema/resultSchemas.ts';
import { blockSelector } from '../../../schema/valueTypes.ts';
import { sample } from '../../../schema/samples.ts';

/** With `pending` it counts what waits in the mempool. */
export const getBlockTransactionCountByNumber = defineMethod({
  name: 'eth_getBlockTransactionCountByNumber',
  summary: 'Number of transactions in a block; null when there is no such block.',
  params: [required('block', blockSelector)],
  result: orNull(quantityResult),
  privacy: 'public',
  examples: [{ params: [sample.height], result: '0x1' }],
  handler: async (context, selector) => {
    if (selector.kind === 'tag' && selector.tag === 'pending')
      return toQuantity((await context.ports.pool.proposal()).length);
    const record = await findBlock(context, selector);
    return record === null ? null : toQuantity(record.block.transactions.length);
  },
});
