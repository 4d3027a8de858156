import { defineMethod, required } from '../../../define.ts';
import { ethReceiptResult, orNull } from '../../../schema/resultSchemas.ts';
import { sample, sampleEthReceipt } from '../../../schema/samples.ts';
import { receiptByHash } from '../../../lookup/transactions.ts';
import { hash } from '../../../schema/valueTypes.ts';

/** Final as soon as it is there: a committed block is never replaced. */
export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'What a committed transaction did; null while it is in no block.',
  params: [required('transactionHash', hash)],
  result: orNull(ethReceiptResult),
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [{ params: [sample.hash], result: sampleEthReceipt }],
  handler: receiptByHash,
});
