import { defineMethod, required } from '../../../define.ts';
import { orNull, transactionResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleTransaction } from '../../../schema/samples.ts';
import { transactionByHash } from '../../../lookup/transactions.ts';
import { hash } from '../../../schema/valueTypes.ts';

/** A pooled one has null in place of block and index. */
export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary: 'A committed or pooled transaction by its hash; null when it is not known.',
  params: [required('transactionHash', hash)],
  result: orNull(transactionResult),
  privacy: 'operatorAfterFork',
  examples: [{ params: [sample.hash], result: sampleTransaction }],
  handler: transactionByHash,
});
