import { toQuantity } from '@prime/primitives';
import { accountAt } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { andThen } from '../../../dispatch/eventual.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { address, blockSelector, latest } from '../../../schema/valueTypes.ts';

/** Actions of the order book have nonces of their own, which are not counted. */
export const getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  summary: 'Nonce of an account: the number of transactions it has sent. With "pending", pooled ones are counted.',
  params: [required('address', address), optional('block', blockSelector)],
  result: quantityResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT'],
  privacy: 'public',
  examples: [{ params: [sample.address, 'latest'], result: '0x7' }],
  handler: (context, account, block = latest) =>
    block.kind === 'tag' && block.tag === 'pending'
      ? context.ports.pool.pendingNonce(account).then(toQuantity)
      : andThen(accountAt(context, account, block), ({ nonce }) => toQuantity(nonce)),
});
