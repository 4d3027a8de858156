import { JsonText } from '../../answerCache.ts';
import { stateAt } from '../../blocks.ts';
import { callObject } from '../../callObjects.ts';
import { boundGas } from '../../calls.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { RpcError } from '../../errors.ts';
import { sample } from '../../samples.ts';
import { defaultTraceCallConfig, traceCallConfig } from '../../traceOptions.ts';
import { sampleFrame, traceResult } from '../../traceSchemas.ts';
import { traceOptionsOf } from '../../traces.ts';
import { blockSelector, latest } from '../../valueTypes.ts';

export const traceCall = defineMethod({
  name: 'debug_traceCall',
  summary: 'Runs a message call on the state after a block, as eth_call does, and returns what the tracer saw.',
  params: [required('transaction', callObject), optional('block', blockSelector), optional('config', traceCallConfig)],
  result: traceResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_EXECUTION_FAILED', 'RPC_LIMIT_EXCEEDED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [
    {
      params: [{ from: sample.address, to: sample.contract, data: '0x18160ddd' }, 'latest', { tracer: 'callTracer' }],
      result: sampleFrame,
    },
  ],
  handler: async (context, request, block = latest, config = defaultTraceCallConfig) => {
    const at = await stateAt(context, block);
    const { stateOverrides, blockOverrides } = config;
    const assuming = { ...boundGas(context, request), stateOverrides, blockOverrides };
    const traced = await context.ports.traces.call(assuming, at, traceOptionsOf(context, config));
    if (traced.status === 'failure')
      throw new RpcError(`tracing failed: ${traced.message}`, { code: 'RPC_EXECUTION_FAILED' });
    return new JsonText(traced.trace);
  },
});
