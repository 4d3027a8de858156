import { Type } from '@sinclair/typebox';
import { encodeActionResult } from '@prime/codec';
import { bytesToHex, toQuantity } from '@prime/primitives';
import { findBlock } from '../../lookup/blocks.ts';
import { defineMethod, required } from '../../define.ts';
import { dataResult, hashResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { blockSelector } from '../../schema/valueTypes.ts';

/** For explorers: Ethereum receipts tell nothing of actions. */
export const getBlockActions = defineMethod({
  name: 'prime_getBlockActions',
  summary:
    'All actions of a block in their order, with what each answered there; null when there is no such block. An action that stands in two blocks was carried out in one of them, and has a result of its own in both.',
  params: [required('block', blockSelector)],
  result: orNull(
    Type.Array(
      Type.Object(
        { hash: hashResult, raw: dataResult, status: quantityResult, output: dataResult },
        { title: 'BlockAction' },
      ),
    ),
  ),
  errors: ['RPC_HISTORY_PRUNED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [
    { params: [sample.height], result: [] },
    {
      situation: 'a block with one action',
      params: [sample.height],
      result: [{ hash: sample.hash, raw: '0x50f8c0', status: '0x1', output: '0xc20103' }],
    },
  ],
  handler: async (context, block) => {
    const record = await findBlock(context, block);
    if (record === null) return null;
    const results = await context.ports.chain.actionResults(record.block.header.height);
    return results.map((result, index) => ({
      hash: record.actionHashes[index],
      raw: bytesToHex(record.block.actions[index]!),
      status: toQuantity(result.ok ? 1 : 0),
      output: bytesToHex(encodeActionResult(result)),
    }));
  },
});
