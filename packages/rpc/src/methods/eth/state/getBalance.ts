import { toQuantity } from '@prime/primitives';
import { accountAt } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { andThen } from '../../../dispatch/eventual.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { address, blockSelector, latest } from '../../../schema/valueTypes.ts';

/** EVM balance alone: collateral in the order book is not in it. */
export const getBalance = defineMethod({
  name: 'eth_getBalance',
  summary: 'Balance of an account, in wei.',
  params: [required('address', address), optional('block', blockSelector)],
  result: quantityResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT'],
  privacy: 'public',
  examples: [{ params: [sample.address, 'latest'], result: '0xde0b6b3a7640000' }],
  handler: (context, account, block = latest) =>
    andThen(accountAt(context, account, block), ({ balance }) => toQuantity(balance)),
});
