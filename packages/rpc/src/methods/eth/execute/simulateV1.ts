import { Type } from '@sinclair/typebox';
import { findBlock } from '../../../lookup/blocks.ts';
import { refuseOtherChain } from '../../../execution/calls.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { RpcError } from '../../../errors/errors.ts';
import { dataResult, ethBlockResult, logResult, quantityResult } from '../../../schema/resultSchemas.ts';
import { sample, sampleEthBlock } from '../../../schema/samples.ts';
import { formatSimulated, simulationPayload } from '../../../execution/simulations.ts';
import { blockSelector, latest } from '../../../schema/valueTypes.ts';

const callResult = Type.Object({
  status: quantityResult,
  returnData: dataResult,
  gasUsed: quantityResult,
  maxUsedGas: quantityResult,
  logs: Type.Optional(Type.Array(logResult)),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(dataResult) })),
});

/** The method of the execution API; blocks that fill gaps between numbers are in the answer, too. */
export const simulateV1 = defineMethod({
  name: 'eth_simulateV1',
  summary:
    'Runs calls in blocks that nobody proposed, one after another on the state after a block, with overrides of state and headers; returns the blocks with the outcome of each call.',
  params: [required('payload', simulationPayload), optional('block', blockSelector)],
  result: Type.Array(
    Type.Intersect([ethBlockResult, Type.Object({ calls: Type.Array(callResult) }, { additionalProperties: true })]),
  ),
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_TRANSACTION_REFUSED'],
  cost: 'heavy',
  privacy: 'public',
  examples: [
    {
      params: [
        { blockStateCalls: [{ calls: [{ from: sample.address, to: sample.contract, data: '0x18160ddd' }] }] },
        'latest',
      ],
      result: [
        {
          ...sampleEthBlock,
          calls: [
            {
              status: '0x1',
              returnData: `0x${'0'.repeat(46)}3635c9adc5dea00000`,
              gasUsed: '0x6000',
              maxUsedGas: '0x6000',
              logs: [],
            },
          ],
        },
      ],
    },
  ],
  handler: async (context, payload, block = latest) => {
    const record = await findBlock(context, block);
    if (record === null) throw new RpcError('header not found', { code: 'RPC_BLOCK_NOT_FOUND' });
    const { returnFullTransactions, ...request } = payload;
    for (const { calls } of request.blocks) for (const { chainId } of calls) refuseOtherChain(context, chainId);
    const { hash, roots } = record;
    const base = { header: record.block.header, hash, roots };
    const blocks = await context.ports.traces.simulate({ ...request, base });
    return blocks.map((simulated) => formatSimulated(simulated, returnFullTransactions));
  },
});
