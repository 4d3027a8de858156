import { toQuantity } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import { marketId, refuseUnknownMarket } from '../../orders/orderActions.ts';
import type { PriceLevel } from '../../ports/ports.ts';
import { orderBookResult } from '../../schema/resultSchemas.ts';

const formatLevel = ({ price, size }: PriceLevel): Record<string, string> => ({
  price: toQuantity(price),
  size: toQuantity(size),
});

/** Prices in wei per base unit, sizes in base units; changes are streamed by the topic `orderBook`. */
export const getOrderBook = defineMethod({
  name: 'primeorders_getOrderBook',
  summary: 'Price levels of a market, both sides ascending: the best bid is last, the best ask first.',
  params: [required('marketId', marketId)],
  result: orderBookResult,
  errors: ['RPC_ACTION_REFUSED'],
  privacy: 'public',
  examples: [{ params: ['0x1'], result: { bids: [{ price: '0x64', size: '0xa' }], asks: [] } }],
  handler: async ({ ports }, id) => {
    const book = await ports.books.orderBook(id);
    if (book === null) return refuseUnknownMarket(id);
    return { bids: book.bids.map(formatLevel), asks: book.asks.map(formatLevel) };
  },
});
