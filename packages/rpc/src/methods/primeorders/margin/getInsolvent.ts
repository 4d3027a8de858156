import { toSignedQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../../define.ts';
import { addressResult, signedQuantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

/** Accounts that liquidation will close whole, or cannot close yet. */
export const getInsolvent = defineMethod({
  name: 'primeorders_getInsolvent',
  summary:
    'The accounts that owe more than they have, at the mark prices of the block to come, those who owe most first; at most 1000. Markets whose price is not fit to liquidate anybody do not count. None of it keeps others from withdrawing.',
  params: [],
  result: Type.Array(
    Type.Object({ address: addressResult, equity: signedQuantityResult, collateral: signedQuantityResult }),
  ),
  privacy: 'public',
  examples: [
    { params: [], result: [] },
    {
      params: [],
      result: [{ address: sample.indebted, equity: '-0x64', collateral: '0x3e8' }],
      situation: 'of a network with one',
    },
  ],
  handler: async ({ ports }) =>
    (await ports.books.insolvent(insolventMax)).map(({ address, equity, collateral }) => ({
      address,
      equity: toSignedQuantity(equity),
      collateral: toSignedQuantity(collateral),
    })),
});

const insolventMax = 1000;
