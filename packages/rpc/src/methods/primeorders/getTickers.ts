import { Type } from '@sinclair/typebox';
import { defineMethod, optional } from '../../define.ts';
import { marketId, refuseUnknownMarket } from '../../orders/orderActions.ts';
import { formatTicker, tickerResult } from '../../orders/tickers.ts';

const quietMarket = {
  market_id: 1,
  symbol: 'PRM/USD',
  status: 'trading',
  last_price: null,
  mark_price: null,
  index_price: null,
  stale_since_ms: null,
  fair_price: null,
  best_bid: null,
  best_ask: null,
  open_interest: '0x0',
  day: {
    since_ms: '0x1937389a880',
    open: null,
    high: null,
    low: null,
    close: null,
    change: null,
    change_bps: null,
    volume: '0x0',
    quote_volume: '0x0',
    trades: '0x0',
  },
};

/** Prices in wei per base unit, volume in base units, quote volume in wei. */
export const getTickers = defineMethod({
  name: 'primeorders_getTickers',
  summary:
    'What each market does, by id, or one of them: last, mark and index price, since when the index is stale, the fair price (index with its premium), best bid and ask, base units that longs hold (open_interest), and under `day` the trades of the last 24 hours, counted in candles of five minutes: the one that still grows and the 287 before it. `since_ms` says where they begin, later on a node that has less of the past. Without trades prices and changes are null, and so are index and fair price without an oracle. change_bps is cut towards zero. Funding, where the network has it: rate of the latest interval as in primeorders_getMarkets, and when the one that runs now ends.',
  params: [optional('marketId', marketId)],
  result: Type.Array(tickerResult),
  errors: ['RPC_ACTION_REFUSED'],
  privacy: 'public',
  fixedAtHead: true,
  examples: [
    { params: ['0x1'], result: [quietMarket] },
    {
      situation: 'a market that trades, on a network with funding',
      params: [],
      result: [
        {
          ...quietMarket,
          last_price: '0x64',
          mark_price: '0x64',
          index_price: '0x65',
          fair_price: '0x64',
          best_bid: { price: '0x63', size: '0xa' },
          best_ask: { price: '0x65', size: '0x5' },
          open_interest: '0x14',
          day: {
            since_ms: '0x1937389a880',
            open: '0x6e',
            high: '0x6e',
            low: '0x60',
            close: '0x64',
            change: '-0xa',
            change_bps: '-0x38d',
            volume: '0x14',
            quote_volume: '0x834',
            trades: '0x2',
          },
          funding: { rate: '-0x3b9aca00', next_ms: '0x19378e14400' },
        },
      ],
    },
  ],
  handler: async ({ ports }, id) => {
    const tickers = await ports.books.tickers(id ?? null);
    if (id !== undefined && tickers.length === 0) return refuseUnknownMarket(id);
    return tickers.map(formatTicker);
  },
});
