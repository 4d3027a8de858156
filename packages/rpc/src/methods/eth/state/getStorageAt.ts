import { stateAt } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { hashResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { address, blockSelector, latest, slot } from '../../../schema/valueTypes.ts';

/** Zeros for a slot that is not set, and for an account that is not there. */
export const getStorageAt = defineMethod({
  name: 'eth_getStorageAt',
  summary: 'Value of a storage slot of a contract, 32 bytes.',
  params: [required('address', address), required('slot', slot), optional('block', blockSelector)],
  result: hashResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT'],
  privacy: 'public',
  examples: [{ params: [sample.contract, '0x0', 'latest'], result: `0x${'0'.repeat(64)}` }],
  handler: async (context, account, key, block = latest) =>
    context.ports.state.storage(account, key, await stateAt(context, block)),
});
