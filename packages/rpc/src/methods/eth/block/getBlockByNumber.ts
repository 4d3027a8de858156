import { findBlock, presentBlock, presentPendingBlock } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { andThen } from '../../../dispatch/eventual.ts';
import { ethBlockResult, orNull } from '../../../schema/resultSchemas.ts';
import { sample, sampleEthBlock } from '../../../schema/samples.ts';
import { blockSelector, boolean } from '../../../schema/valueTypes.ts';

/** After the privacy fork the public surface has hashes of transactions only. */
export const getBlockByNumber = defineMethod({
  name: 'eth_getBlockByNumber',
  summary:
    'A block by its number or tag, with hashes of its transactions or the transactions; null when there is none.',
  params: [required('block', blockSelector), optional('fullTransactions', boolean)],
  result: orNull(ethBlockResult),
  errors: ['RPC_HISTORY_PRUNED'],
  privacy: (_, fullTransactions = false) => fullTransactions,
  examples: [{ params: [sample.height, false], result: sampleEthBlock }],
  handler: (context, selector, fullTransactions = false) =>
    selector.kind === 'tag' && selector.tag === 'pending'
      ? presentPendingBlock(context, fullTransactions)
      : andThen(findBlock(context, selector), (record) =>
          record === null ? null : presentBlock(context, record, fullTransactions),
        ),
});
