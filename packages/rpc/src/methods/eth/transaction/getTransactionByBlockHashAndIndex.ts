import { defineMethod, required } from '../../../define.ts';
import { orNull, transactionResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleTransaction } from '../../../schema/samples.ts';
import { transactionAt } from '../../../lookup/transactions.ts';
import { hash, index } from '../../../schema/valueTypes.ts';

/** Places count from 0. */
export const getTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'A transaction by the hash of its block and its place in it; null when there is none.',
  params: [required('blockHash', hash), required('index', index)],
  result: orNull(transactionResult),
  privacy: 'operatorAfterFork',
  examples: [{ params: [sample.otherHash, '0x0'], result: sampleTransaction }],
  handler: async (context, blockHash, place) =>
    transactionAt(context, await context.ports.chain.blockByHash(blockHash), place),
});
