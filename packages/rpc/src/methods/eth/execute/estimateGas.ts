import { noBlockOverrides } from '@prime/codec';
import { toQuantity } from '@prime/primitives';
import { estimateAt } from '../../../lookup/blocks.ts';
import { callErrors, callParams, refuseOtherChain, successOf } from '../../../execution/calls.ts';
import { defineMethod } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { latest } from '../../../schema/valueTypes.ts';

/** Searches for the limit by running the message; a message that always fails is answered with its failure. */
export const estimateGas = defineMethod({
  name: 'eth_estimateGas',
  summary:
    'Least gas limit with which the transaction succeeds on the state after a block; at the head, in the block after it.',
  params: callParams,
  result: quantityResult,
  errors: callErrors,
  cost: 'heavy',
  privacy: 'public',
  examples: [{ params: [{ from: sample.address, to: sample.otherAddress, value: '0x1' }], result: '0x5208' }],
  handler: async (context, request, block = latest, accounts = [], header = noBlockOverrides) => {
    refuseOtherChain(context, request.chainId);
    const assuming = { ...request, stateOverrides: accounts, blockOverrides: header };
    const at = await estimateAt(context, block);
    return toQuantity(successOf(await context.ports.state.estimateGas(assuming, at)).gasUsed);
  },
});
