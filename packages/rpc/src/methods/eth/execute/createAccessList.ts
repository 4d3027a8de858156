import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { executionAt } from '../../../lookup/blocks.ts';
import { callObject } from '../../../execution/callObjects.ts';
import { boundGas } from '../../../execution/calls.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { RpcError } from '../../../errors/errors.ts';
import { addressResult, hashResult, quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { blockSelector, latest } from '../../../schema/valueTypes.ts';

/** Accounts that are warm without a list (EIP-2929, EIP-3651) are listed only for their slots. */
export const createAccessList = defineMethod({
  name: 'eth_createAccessList',
  summary:
    'The accounts and storage slots that a transaction touches, as an EIP-2930 access list, and the gas that it uses with it. A transaction that fails has its words in error.',
  params: [required('transaction', callObject), optional('block', blockSelector)],
  result: Type.Object(
    {
      accessList: Type.Array(Type.Object({ address: addressResult, storageKeys: Type.Array(hashResult) })),
      gasUsed: quantityResult,
      error: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_EXECUTION_FAILED', 'RPC_TRANSACTION_REFUSED'],
  cost: 'heavy',
  privacy: 'public',
  examples: [
    {
      params: [{ from: sample.address, to: sample.contract, data: '0x18160ddd' }, 'latest'],
      result: { accessList: [{ address: sample.contract, storageKeys: [sample.otherHash] }], gasUsed: '0x6000' },
    },
  ],
  handler: async (context, request, block = latest) => {
    const at = await executionAt(context, block);
    const outcome = await context.ports.traces.accessList(boundGas(context, request), at);
    if (outcome.status === 'failure') throw new RpcError(outcome.message, { code: 'RPC_EXECUTION_FAILED' });
    const { accessList, gasUsed, error } = outcome;
    return { accessList, gasUsed: toQuantity(gasUsed), ...(error === null ? {} : { error }) };
  },
});
