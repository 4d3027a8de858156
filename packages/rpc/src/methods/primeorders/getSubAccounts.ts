import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../define.ts';
import { addressResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { address } from '../../schema/valueTypes.ts';

/** What `createSubAccount` actions of an owner made. */
export const getSubAccounts = defineMethod({
  name: 'primeorders_getSubAccounts',
  summary:
    'The sub-accounts that an owner made, by index; none of an account that made none. Each is an account of its own at its address: primeorders_getAccount tells what it holds.',
  params: [required('owner', address)],
  result: Type.Array(Type.Object({ address: addressResult, index: Type.Integer() })),
  privacy: 'operatorAfterFork',
  examples: [
    { params: [sample.otherAddress], result: [] },
    {
      params: [sample.address],
      result: [{ address: sample.subAccount, index: 1 }],
      situation: 'of an owner who made one',
    },
  ],
  handler: async ({ ports }, owner) =>
    (await ports.books.subAccounts(owner)).map(({ address: at, index }) => ({ address: at, index })),
});
