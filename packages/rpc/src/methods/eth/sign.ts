import { defineMethod, required } from '../../define.ts';
import { requireHeld } from '../../fillTransaction.ts';
import { dataResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';
import { address, data } from '../../valueTypes.ts';

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
