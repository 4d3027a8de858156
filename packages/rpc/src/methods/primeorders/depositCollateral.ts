import { Type } from '@sinclair/typebox';
import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { execute, actionErrorCodes } from '../../orders/orderActions.ts';
import { addressResult, quantityResult, signedQuantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { address, quantity } from '../../schema/valueTypes.ts';

/** Amounts in wei; the answer has the collateral after it. */
export const depositCollateral = defineMethod({
  name: 'primeorders_depositCollateral',
  summary:
    'Moves wei of an EVM account into its margin collateral, and answers after the block that did so is committed. Where genesis names a faucet, as ' +
    'on the local network of npm start, it pays what the account lacks; elsewhere such a deposit is refused.',
  params: [required('address', address), required('amount', quantity), optional('authorization', authorization)],
  result: Type.Object({ address: addressResult, amount: quantityResult, collateral: signedQuantityResult }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    {
      params: [sample.address, '0xde0b6b3a7640000'],
      result: { address: sample.address, amount: '0xde0b6b3a7640000', collateral: '0xde0b6b3a7640000' },
    },
  ],
  handler: async (context, account, amount, signed) => {
    const { value } = await execute(context, 'deposit', account, { type: 'deposit', amount }, signed);
    return {
      address: value.address,
      amount: toQuantity(value.amount),
      collateral: toSignedQuantity(value.collateral),
    };
  },
});
