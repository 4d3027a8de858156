import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { orNull, quantityResult } from '../../schema/resultSchemas.ts';

/** Prices in wei per base unit, rounded down. */
export const getMids = defineMethod({
  name: 'primeorders_getMids',
  summary:
    'The middle between best bid and best ask of every market, by id, in one answer: wei per base unit, rounded down, and null while a side of the book is empty.',
  params: [],
  result: Type.Array(
    Type.Object({ market_id: Type.Integer(), mid_price: orNull(quantityResult) }, { title: 'MarketMid' }),
  ),
  privacy: 'public',
  fixedAtHead: true,
  examples: [{ params: [], result: [{ market_id: 1, mid_price: null }] }],
  handler: async ({ ports }) =>
    (await ports.books.mids()).map(({ marketId, mid }) => ({
      market_id: marketId,
      mid_price: mid === null ? null : toQuantity(mid),
    })),
});
