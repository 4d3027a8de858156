import { stateAt } from '../../../lookup/blocks.ts';
import { defineMethod, optional, required } from '../../../define.ts';
import { dataResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { address, blockSelector, latest } from '../../../schema/valueTypes.ts';

/** For an EIP-7702 account its delegation: 0xef0100 and an address. */
export const getCode = defineMethod({
  name: 'eth_getCode',
  summary: 'Bytecode at an address; 0x where there is none.',
  params: [required('address', address), optional('block', blockSelector)],
  result: dataResult,
  errors: ['RPC_BLOCK_NOT_FOUND', 'RPC_STATE_NOT_KEPT'],
  privacy: 'public',
  examples: [{ params: [sample.contract, 'latest'], result: '0x6080604052' }],
  handler: async (context, account, block = latest) => context.ports.state.code(account, await stateAt(context, block)),
});
