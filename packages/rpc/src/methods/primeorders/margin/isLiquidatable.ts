import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { sample } from '../../../schema/samples.ts';
import { address } from '../../../schema/valueTypes.ts';

/** What `primeorders_liquidate` would decide now. */
export const isLiquidatable = defineMethod({
  name: 'primeorders_isLiquidatable',
  summary: 'Whether the equity of an account is below its maintenance margin, at the mark prices of the block to come.',
  params: [required('address', address)],
  result: Type.Boolean(),
  privacy: 'public',
  examples: [{ params: [sample.address], result: false }],
  handler: async ({ ports }, owner) => (await ports.books.account(owner)).isLiquidatable,
});
