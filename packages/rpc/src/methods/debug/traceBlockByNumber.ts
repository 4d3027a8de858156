import { JsonText } from '../../dispatch/answerCache.ts';
import { findBlock } from '../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { sample } from '../../schema/samples.ts';
import { defaultTraceConfig, traceConfig } from '../../execution/traceOptions.ts';
import { blockTraceResult, sampleFrame } from '../../schema/traceSchemas.ts';
import { traceable, traceOptionsOf } from '../../execution/traces.ts';
import { blockNumber } from '../../schema/valueTypes.ts';

/** go-ethereum's trace of a block by number or tag. */
export const traceBlockByNumber = defineMethod({
  name: 'debug_traceBlockByNumber',
  summary: 'Runs all transactions of the block with a number again and returns what the tracer saw of each, in order.',
  params: [required('block', blockNumber), optional('config', traceConfig)],
  result: blockTraceResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_NOT_TRACEABLE', 'RPC_LIMIT_EXCEEDED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [
    { params: [sample.height, { tracer: 'callTracer' }], result: [{ txHash: sample.hash, result: sampleFrame }] },
  ],
  handler: async (context, block, config = defaultTraceConfig) => {
    const record = traceable(
      await findBlock(context, block),
      String(block.kind === 'height' ? `#${block.height}` : 'latest'),
    );
    const { height } = record.block.header;
    return new JsonText(await context.ports.traces.block(height, traceOptionsOf(context, config)));
  },
});
