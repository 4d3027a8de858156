import { presentBlock } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { ethBlockResult, orNull } from '../../../schema/resultSchemas.ts';
import { sample, sampleEthBlock } from '../../../schema/samples.ts';
import { boolean, hash } from '../../../schema/valueTypes.ts';

/** After the privacy fork the public surface has hashes of transactions only. */
export const getBlockByHash = defineMethod({
  name: 'eth_getBlockByHash',
  summary: 'A block by its hash, with hashes of its transactions or the transactions; null when there is none.',
  params: [required('blockHash', hash), optional('fullTransactions', boolean)],
  result: orNull(ethBlockResult),
  privacy: (_, fullTransactions = false) => fullTransactions,
  examples: [{ params: [sample.otherHash, false], result: sampleEthBlock }],
  handler: async (context, blockHash, fullTransactions = false) => {
    const record = await context.ports.chain.blockByHash(blockHash);
    return record === null ? null : presentBlock(context, record, fullTransactions);
  },
});
