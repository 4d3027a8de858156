import { noBlockOverrides } from '@prime/codec';
import { executionAt } from '../../../lookup/blocks.ts';
import { boundGas, callErrors, callParams, successOf } from '../../../execution/calls.ts';
import { defineMethod } from '../../../define.ts';
import { andThen } from '../../../dispatch/eventual.ts';
import { dataResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { latest } from '../../../schema/valueTypes.ts';

/** A call without fee fields pays no gas. A revert is the error `RPC_EXECUTION_REVERTED` with the revert data. */
export const call = defineMethod({
  name: 'eth_call',
  summary: 'Runs a message call on the state after a block, without making a transaction, and returns its output.',
  params: callParams,
  result: dataResult,
  errors: callErrors,
  cost: 'heavy',
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    {
      params: [{ to: sample.contract, data: '0x18160ddd' }, 'latest'],
      result: `0x${'0'.repeat(46)}3635c9adc5dea00000`,
    },
  ],
  handler: (context, request, block = latest, accounts = [], header = noBlockOverrides) => {
    const assuming = { ...boundGas(context, request), stateOverrides: accounts, blockOverrides: header };
    return andThen(executionAt(context, block), (at) =>
      andThen(context.ports.state.call(assuming, at), (outcome) => successOf(outcome).output),
    );
  },
});
