import { findBlock } from '../../../lookup/blocks.ts';
import { defineMethod, required } from '../../../define.ts';
import { orNull, transactionResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleTransaction } from '../../../schema/samples.ts';
import { transactionAt } from '../../../lookup/transactions.ts';
import { blockSelector, index } from '../../../schema/valueTypes.ts';

/** Places count from 0. */
export const getTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary: 'A transaction by the number of its block and its place in it; null when there is none.',
  params: [required('block', blockSelector), required('index', index)],
  result: orNull(transactionResult),
  privacy: 'operatorAfterFork',
  examples: [{ params: [sample.height, '0x0'], result: sampleTransaction }],
  handler: async (context, block, place) => transactionAt(context, await findBlock(context, block), place),
});
