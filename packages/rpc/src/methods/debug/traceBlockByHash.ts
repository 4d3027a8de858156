import { JsonText } from '../../answerCache.ts';
import { findBlock } from '../../blocks.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { sample } from '../../samples.ts';
import { defaultTraceConfig, traceConfig } from '../../traceOptions.ts';
import { blockTraceResult, sampleFrame } from '../../traceSchemas.ts';
import { traceable, traceOptionsOf } from '../../traces.ts';
import { hash } from '../../valueTypes.ts';

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
