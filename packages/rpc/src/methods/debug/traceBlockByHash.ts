import { JsonText } from '../../dispatch/answerCache.ts';
import { findBlock } from '../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { sample } from '../../schema/samples.ts';
import { defaultTraceConfig, traceConfig } from '../../execution/traceOptions.ts';
import { blockTraceResult, sampleFrame } from '../../schema/traceSchemas.ts';
import { traceable, traceOptionsOf } from '../../execution/traces.ts';
import { hash } from '../../schema/valueTypes.ts';

/** go-ethereum's trace of a block by hash; one transaction that cannot be traced does not spoil the others. */
export const traceBlockByHash = defineMethod({
  name: 'debug_traceBlockByHash',
  summary: 'Runs all transactions of the block with a hash again and returns what the tracer saw of each, in order.',
  params: [required('blockHash', hash), optional('config', traceConfig)],
  result: blockTraceResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_NOT_TRACEABLE', 'RPC_LIMIT_EXCEEDED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [
    { params: [sample.otherHash, { tracer: 'callTracer' }], result: [{ txHash: sample.hash, result: sampleFrame }] },
  ],
  handler: async (context, blockHash, config = defaultTraceConfig) => {
    const record = traceable(await findBlock(context, { kind: 'hash', hash: blockHash }), blockHash);
    const { height } = record.block.header;
    return new JsonText(await context.ports.traces.block(height, traceOptionsOf(context, config)));
  },
});
