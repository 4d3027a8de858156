import { JsonText } from '../../dispatch/answerCache.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { RpcError } from '../../errors/errors.ts';
import { sample } from '../../schema/samples.ts';
import { defaultTraceConfig, traceConfig } from '../../execution/traceOptions.ts';
import { sampleFrame, traceResult } from '../../schema/traceSchemas.ts';
import { traceOptionsOf } from '../../execution/traces.ts';
import { hash } from '../../schema/valueTypes.ts';

/** go-ethereum's trace of a committed transaction; those before it in its block run first. */
export const traceTransaction = defineMethod({
  name: 'debug_traceTransaction',
  summary:
    'Runs a transaction again on the state that it found and returns what the tracer saw: every instruction without a tracer, or callTracer, prestateTracer, 4byteTracer, noopTracer, or several of them as the tracerConfig of muxTracer.',
  params: [required('transactionHash', hash), optional('config', traceConfig)],
  result: traceResult,
  errors: ['RPC_NOT_TRACEABLE', 'RPC_LIMIT_EXCEEDED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [{ params: [sample.hash, { tracer: 'callTracer' }], result: sampleFrame }],
  handler: async (context, transactionHash, config = defaultTraceConfig) => {
    const { chain, traces } = context.ports;
    const location = await chain.location(transactionHash);
    if (location === null) throw new RpcError('transaction not found', { code: 'RPC_NOT_TRACEABLE' });
    if (location.kind === 'action')
      throw new RpcError('actions of the order book are not run by the EVM', { code: 'RPC_NOT_TRACEABLE' });
    return new JsonText(await traces.transaction(location.height, location.index, traceOptionsOf(context, config)));
  },
});
