import { bytesToHex } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { requireHeld } from '../../../execution/fillTransaction.ts';
import { dataResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';
import { parseTypedMessage, type TypedMessage, typedMessageDigest } from '../../../execution/typedMessage.ts';
import { address, hintKey, valueType } from '../../../schema/valueTypes.ts';

const typedMessage = valueType<TypedMessage, unknown>(
  Type.Union([Type.Object({}), Type.String()], { [hintKey]: 'must be an object or its JSON text' }),
  parseTypedMessage,
);

const sampleMessage = {
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { name: 'Prime', version: '1', chainId: 7919 },
  message: { text: 'hello' },
};

const defineSigning = (name: 'eth_signTypedData' | 'eth_signTypedData_v4', summary: string) =>
  defineMethod({
    name,
    summary,
    params: [required('address', address), required('typedData', typedMessage)],
    result: dataResult,
    privacy: 'public',
    errors: ['RPC_UNKNOWN_ACCOUNT'],
    examples: [{ params: [sample.address, sampleMessage], result: `0x${'11'.repeat(64)}1b` }],
    handler: async (context, account, message) => {
      await requireHeld(context, account);
      return context.ports.accounts.signDigest(account, bytesToHex(typedMessageDigest(message)));
    },
  });

/** The name that wallets use; the only version of the encoding that is taken. */
export const signTypedDataV4 = defineSigning(
  'eth_signTypedData_v4',
  'Signs EIP-712 typed data with an account that the node holds: an object, or its JSON text.',
);

/** The name of EIP-712 itself. */
export const signTypedData = defineSigning('eth_signTypedData', 'The same as eth_signTypedData_v4.');
