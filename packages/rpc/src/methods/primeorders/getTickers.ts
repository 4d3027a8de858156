import { Type } from '@sinclair/typebox';
import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { defineMethod, optional } from '../../define.ts';
import { marketId, refuseUnknownMarket } from '../../orders/orderActions.ts';
import type { DayStatistics, PriceLevel, Ticker } from '../../ports/ports.ts';
import { levelResult, orNull, quantityResult, signedQuantityResult } from '../../schema/resultSchemas.ts';

const price = (value: bigint | null | undefined): string | null => (value == null ? null : toQuantity(value));
const level = (value: PriceLevel | null): unknown =>
  value === null ? null : { price: toQuantity(value.price), size: toQuantity(value.size) };

const bpsPerOne = 10_000n;

function formatDay({ traded, sinceMs }: DayStatistics): Record<string, unknown> {
  const change = traded === null ? null : traded.close - traded.open;
  return {
    since_ms: toQuantity(sinceMs),
    open: price(traded?.open),
    high: price(traded?.high),
    low: price(traded?.low),
    close: price(traded?.close),
    change: change === null ? null : toSignedQuantity(change),
    // Towards zero. A price is never 0.
    change_bps: change === null ? null : toSignedQuantity((change * bpsPerOne) / traded!.open),
    volume: toQuantity(traded?.volume ?? 0n),
    quote_volume: toQuantity(traded?.quoteVolume ?? 0n),
    trades: toQuantity(traded?.trades ?? 0),
  };
}

const formatTicker = ({ market, bestBid, bestAsk, day, openInterest, funding }: Ticker): Record<string, unknown> => ({
  market_id: market.marketId,
  symbol: market.symbol,
  status: market.status,
  last_price: price(market.lastPrice),
  mark_price: price(market.markPrice),
  best_bid: level(bestBid),
  best_ask: level(bestAsk),
  open_interest: toQuantity(openInterest),
  day: formatDay(day),
  ...(funding === undefined
    ? {}
    : { funding: { rate: toSignedQuantity(funding.rate), next_ms: toQuantity(funding.nextMs) } }),
});

const dayResult = Type.Object({
  since_ms: quantityResult,
  open: orNull(quantityResult),
  high: orNull(quantityResult),
  low: orNull(quantityResult),
  close: orNull(quantityResult),
  change: orNull(signedQuantityResult),
  change_bps: orNull(signedQuantityResult),
  volume: quantityResult,
  quote_volume: quantityResult,
  trades: quantityResult,
});

const quietMarket = {
  market_id: 1,
  symbol: 'PRM/USD',
  status: 'trading',
  last_price: null,
  mark_price: null,
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
    'What each market does, by id, or one of them: last and mark price, best bid and ask, base units that longs hold (open_interest), and under `day` the trades of the last 24 hours, counted in candles of five minutes: the one that still grows and the 287 before it. `since_ms` says where they begin, later on a node that has less of the past. Without trades prices and changes are null. change_bps is cut towards zero. Funding, where the network has it: rate of the latest interval as in primeorders_getMarkets, and when the one that runs now ends.',
  params: [optional('marketId', marketId)],
  result: Type.Array(
    Type.Object(
      {
        market_id: Type.Integer(),
        symbol: Type.String(),
        status: Type.String(),
        last_price: orNull(quantityResult),
        mark_price: orNull(quantityResult),
        best_bid: orNull(levelResult),
        best_ask: orNull(levelResult),
        open_interest: quantityResult,
        day: dayResult,
        funding: Type.Optional(Type.Object({ rate: signedQuantityResult, next_ms: quantityResult })),
      },
      { title: 'Ticker' },
    ),
  ),
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
