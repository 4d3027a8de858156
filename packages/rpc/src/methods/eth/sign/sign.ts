import { defineMethod, required } from '../../../define.ts';
import { requireHeld } from '../../../execution/fillTransaction.ts';
import { dataResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { address, data } from '../../../schema/valueTypes.ts';

/** The signature is r, s and v, where v is 27 or 28. */
export const sign = defineMethod({
  name: 'eth_sign',
  summary: 'Signs a message as EIP-191 has it (keccak256("\\x19Ethereum Signed Message:\\n" + length + message)).',
  params: [required('address', address), required('message', data)],
  result: dataResult,
  privacy: 'public',
  errors: ['RPC_UNKNOWN_ACCOUNT'],
  examples: [{ params: [sample.address, '0xdeadbeef'], result: `0x${'11'.repeat(64)}1b` }],
  handler: async (context, account, message) => {
    await requireHeld(context, account);
    return context.ports.accounts.signMessage(account, message);
  },
});
