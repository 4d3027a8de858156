import { Type } from '@sinclair/typebox';
import { defineMethod } from '../../define.ts';
import { toQuantity } from '../../format/quantity.ts';
import type { MarketInfo } from '../../ports.ts';
import { orNull, quantityResult } from '../../resultSchemas.ts';

const price = (value: bigint | null): string | null => (value === null ? null : toQuantity(value));

const formatMarket = (market: MarketInfo): Record<string, unknown> => ({
  market_id: market.marketId,
  symbol: market.symbol,
  tick_size: toQuantity(market.tickSize),
  lot_size: toQuantity(market.lotSize),
  status: market.status,
  last_price: price(market.lastPrice),
  mark_price: price(market.markPrice),
  initial_margin_bps: market.initialMarginBps,
  maintenance_margin_bps: market.maintenanceMarginBps,
});

export const getMarkets = defineMethod({
  name: 'primeorders_getMarkets',
  summary: 'All markets by id, with grid, prices and the margin that applies.',
  params: [],
  result: Type.Array(
    Type.Object({
      market_id: Type.Integer(),
      symbol: Type.String(),
      tick_size: quantityResult,
      lot_size: quantityResult,
      status: Type.String(),
      last_price: orNull(quantityResult),
      mark_price: orNull(quantityResult),
      initial_margin_bps: Type.Integer(),
      maintenance_margin_bps: Type.Integer(),
    }),
  ),
  errors: [],
  privacy: 'public',
  examples: [
    {
      params: [],
      result: [
        {
          market_id: 1,
          symbol: 'PRM/USD',
          tick_size: '0x1',
          lot_size: '0x1',
          status: 'open',
          last_price: null,
          mark_price: null,
          initial_margin_bps: 1000,
          maintenance_margin_bps: 500,
        },
      ],
    },
  ],
  handler: async ({ ports }) => (await ports.books.allMarkets()).map(formatMarket),
});
