import type { StateContext } from '@prime/codec';
import { JsonText } from '../../dispatch/answerCache.ts';
import { executionAt } from '../../lookup/blocks.ts';
import { callObject } from '../../execution/callObjects.ts';
import { boundGas } from '../../execution/calls.ts';
import { defineMethod, type MethodContext, optional, required } from '../../define.ts';
import { invalidParams, RpcError } from '../../errors/errors.ts';
import { sample } from '../../schema/samples.ts';
import { defaultTraceCallConfig, traceCallConfig } from '../../execution/traceOptions.ts';
import { sampleFrame, traceResult } from '../../schema/traceSchemas.ts';
import { traceable, traceOptionsOf } from '../../execution/traces.ts';
import { blockSelector, latest } from '../../schema/valueTypes.ts';

/** go-ethereum's trace of a call that is in no block, with its overrides of state and header. */
export const traceCall = defineMethod({
  name: 'debug_traceCall',
  summary:
    'Runs a message call on the state after a block, or before its transaction with the index txIndex, and returns what the tracer saw.',
  params: [required('transaction', callObject), optional('block', blockSelector), optional('config', traceCallConfig)],
  result: traceResult,
  errors: [
    'RPC_BLOCK_NOT_FOUND',
    'RPC_EXECUTION_FAILED',
    'RPC_TRANSACTION_REFUSED',
    'RPC_LIMIT_EXCEEDED',
    'RPC_NOT_TRACEABLE',
  ],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  examples: [
    {
      params: [{ from: sample.address, to: sample.contract, data: '0x18160ddd' }, 'latest', { tracer: 'callTracer' }],
      result: sampleFrame,
    },
  ],
  handler: async (context, request, block = latest, config = defaultTraceCallConfig) => {
    const at = await executionAt(context, block);
    const { stateOverrides, blockOverrides, txIndex } = config;
    if (txIndex !== null) await refuseOtherPlace(context, at, txIndex);
    const assuming = { ...boundGas(context, request), stateOverrides, blockOverrides };
    const traced = await context.ports.traces.call(assuming, at, { ...traceOptionsOf(context, config), txIndex });
    if (traced.status === 'failure')
      throw new RpcError(`tracing failed: ${traced.message}`, { code: 'RPC_EXECUTION_FAILED' });
    return new JsonText(traced.trace);
  },
});

/** @throws RpcError for a place that is not in the block: only an empty one has a place 0 without a transaction */
async function refuseOtherPlace({ ports }: MethodContext, { height }: StateContext, txIndex: number): Promise<void> {
  const record = traceable(await ports.chain.blockByHeight(height), `#${height}`);
  const { length } = record.block.transactions;
  if (txIndex !== 0 && txIndex >= length)
    throw invalidParams(
      'config.txIndex',
      `must be below ${length}, which is how many transactions block ${height} has`,
    );
}
