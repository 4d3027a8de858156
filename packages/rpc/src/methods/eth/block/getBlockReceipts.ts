import { Type } from '@sinclair/typebox';
import { findBlock } from '../../../lookup/blocks.ts';
import { defineMethod, required } from '../../../define.ts';
import { formatReceipt } from '../../../format/receipt.ts';
import { ethReceiptResult, orNull } from '../../../schema/resultSchemas.ts';
import { sample, sampleEthReceipt } from '../../../schema/samples.ts';
import { blockSelector } from '../../../schema/valueTypes.ts';

/** Receipts of Ethereum transactions; what actions answered is in `prime_getBlockActions`. */
export const getBlockReceipts = defineMethod({
  name: 'eth_getBlockReceipts',
  summary: 'Receipts of all transactions of a block, in order; null when there is no such block.',
  params: [required('block', blockSelector)],
  result: orNull(Type.Array(ethReceiptResult)),
  errors: ['RPC_HISTORY_PRUNED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [{ params: [sample.height], result: [sampleEthReceipt] }],
  handler: async (context, block) => {
    const record = await findBlock(context, block);
    if (record === null) return null;
    const receipts = await context.ports.chain.receipts(record.block.header.height);
    return receipts.map((_, index) => formatReceipt(record, receipts, index));
  },
});
