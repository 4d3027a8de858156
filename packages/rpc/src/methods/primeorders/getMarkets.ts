import { Type } from '@sinclair/typebox';
import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { defineMethod } from '../../define.ts';
import { decimalsResult, formatDecimals } from '../../orders/marketDecimals.ts';
import type { MarketInfo } from '../../ports/ports.ts';
import { orNull, quantityResult, signedQuantityResult } from '../../schema/resultSchemas.ts';

const price = (value: bigint | null): string | null => (value === null ? null : toQuantity(value));

const time = (ms: number | null): string | null => (ms === null ? null : toQuantity(ms));

const formatMarket = (market: MarketInfo): Record<string, unknown> => ({
  market_id: market.marketId,
  symbol: market.symbol,
  tick_size: toQuantity(market.tickSize),
  lot_size: toQuantity(market.lotSize),
  ...formatDecimals(market),
  status: market.status,
  last_price: price(market.lastPrice),
  mark_price: price(market.markPrice),
  initial_margin_bps: market.initialMarginBps,
  maintenance_margin_bps: market.maintenanceMarginBps,
  ...formatRisk(market),
});

/** What only networks have that switched it on. */
function formatRisk({ fees, riskTiers, limits, funding, oracle }: MarketInfo): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  if (fees !== undefined) shown['fees'] = { taker_ppm: fees.takerPpm, maker_ppm: fees.makerPpm };
  if (riskTiers !== undefined)
    shown['risk_tiers'] = riskTiers.map((tier) => ({
      above_notional: toQuantity(tier.aboveNotional),
      initial_margin_bps: tier.initialMarginBps,
      maintenance_margin_bps: tier.maintenanceMarginBps,
    }));
  if (limits !== undefined)
    shown['limits'] = {
      open_interest_max: toQuantity(limits.openInterestMax),
      position_max: toQuantity(limits.positionMax),
      price_band_bps: limits.priceBandBps,
      order_notional_max: toQuantity(limits.orderNotionalMax),
    };
  if (funding !== undefined)
    shown['funding'] = {
      index: toSignedQuantity(funding.index),
      rate: toSignedQuantity(funding.change),
      reference: price(funding.reference),
    };
  if (oracle !== undefined)
    shown['oracle'] = {
      index_price: price(oracle.index),
      premium: toSignedQuantity(oracle.premium),
      stale_since_ms: time(oracle.staleSinceMs),
      resumes_at_ms: time(oracle.resumesAtMs === 0 ? null : oracle.resumesAtMs),
    };
  return shown;
}

/** What a client has to know of a market before it places an order. */
export const getMarkets = defineMethod({
  name: 'primeorders_getMarkets',
  summary:
    'All markets by id, with grid, decimals, prices and the margin that applies; fees, risk tiers, limits, funding and the price from outside where the network has them. Funding is in 10^-9 wei for one base unit: what a long has paid so far (index) and in the latest interval (rate), and the price that the mark is compared with (reference).',
  params: [],
  result: Type.Array(
    Type.Object({
      market_id: Type.Integer(),
      symbol: Type.String(),
      tick_size: quantityResult,
      lot_size: quantityResult,
      ...decimalsResult,
      status: Type.String(),
      last_price: orNull(quantityResult),
      mark_price: orNull(quantityResult),
      initial_margin_bps: Type.Integer(),
      maintenance_margin_bps: Type.Integer(),
      fees: Type.Optional(Type.Object({ taker_ppm: Type.Integer(), maker_ppm: Type.Integer() })),
      risk_tiers: Type.Optional(
        Type.Array(
          Type.Object({
            above_notional: quantityResult,
            initial_margin_bps: Type.Integer(),
            maintenance_margin_bps: Type.Integer(),
          }),
        ),
      ),
      limits: Type.Optional(
        Type.Object({
          open_interest_max: quantityResult,
          position_max: quantityResult,
          price_band_bps: Type.Integer(),
          order_notional_max: quantityResult,
        }),
      ),
      funding: Type.Optional(
        Type.Object({ index: signedQuantityResult, rate: signedQuantityResult, reference: orNull(quantityResult) }),
      ),
      oracle: Type.Optional(
        Type.Object({
          index_price: orNull(quantityResult),
          premium: signedQuantityResult,
          stale_since_ms: orNull(quantityResult),
          resumes_at_ms: orNull(quantityResult),
        }),
      ),
    }),
  ),
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
          base_decimals: 16,
          quote_decimals: 18,
          status: 'trading',
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
