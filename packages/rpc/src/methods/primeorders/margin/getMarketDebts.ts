import { toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../../define.ts';
import { quantityResult } from '../../../schema/resultSchemas.ts';

/** What markets owe, and what they can pay of profits. */
export const getMarketDebts = defineMethod({
  name: 'primeorders_getMarketDebts',
  summary:
    'What each market owes because nobody paid a loss, and what it has to pay profits with, by market; only markets with one of them. The insurance fund repays debts first with all that it gets.',
  params: [],
  result: Type.Array(Type.Object({ market_id: Type.Integer(), debt: quantityResult, profit_pool: quantityResult })),
  privacy: 'public',
  examples: [{ params: [], result: [{ market_id: 1, debt: '0x0', profit_pool: '0x3e8' }] }],
  handler: async ({ ports }) =>
    (await ports.books.marketDebts()).map(({ marketId, debt, profitPool }) => ({
      market_id: marketId,
      debt: toQuantity(debt),
      profit_pool: toQuantity(profitPool),
    })),
});
