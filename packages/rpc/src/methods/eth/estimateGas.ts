import { stateAt } from '../../blocks.ts';
import { callObject } from '../../callObjects.ts';
import { boundGas, successOf } from '../../calls.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { toQuantity } from '../../format/quantity.ts';
import { quantityResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';
import { blockSelector, latest } from '../../valueTypes.ts';

export const estimateGas = defineMethod({
  name: 'eth_estimateGas',
  summary: 'Least gas limit with which the transaction succeeds on the state after a block.',
  params: [required('transaction', callObject), optional('block', blockSelector)],
  result: quantityResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_EXECUTION_REVERTED', 'RPC_EXECUTION_FAILED'],
  cost: 'heavy',
  privacy: 'public',
  examples: [{ params: [{ from: sample.address, to: sample.otherAddress, value: '0x1' }], result: '0x5208' }],
  handler: async (context, request, block = latest) => {
    const at = await stateAt(context, block);
    return toQuantity(successOf(await context.ports.state.estimateGas(boundGas(context, request), at)).gasUsed);
  },
});
