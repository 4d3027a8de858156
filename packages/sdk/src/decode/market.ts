import type { RpcResult } from '../generated/methods.ts';
import type { Market, MarketFees, MarketFunding, MarketLimits, MarketOracle, RiskTier } from '../types/market.ts';
import { createMarketUnits } from '../units/marketUnits.ts';
import { toBigint, toBigintOrNull, toNumberOrNull } from './quantity.ts';

type WireMarket = RpcResult<'primeorders_getMarkets'>[number];

/** From wire form; the result reads and writes decimals in the units of the market. */
export function decodeMarket(wire: WireMarket): Market {
  const [base = '', quote = ''] = wire.symbol.split('/');
  const { base_decimals: baseDecimals, quote_decimals: quoteDecimals } = wire;
  const grid = {
    symbol: wire.symbol,
    tickSize: toBigint(wire.tick_size),
    lotSize: toBigint(wire.lot_size),
    baseDecimals,
    quoteDecimals,
  };
  return {
    marketId: wire.market_id,
    ...grid,
    base,
    quote,
    status: wire.status as Market['status'],
    lastPrice: toBigintOrNull(wire.last_price),
    markPrice: toBigintOrNull(wire.mark_price),
    initialMarginBps: wire.initial_margin_bps,
    maintenanceMarginBps: wire.maintenance_margin_bps,
    ...decodeRisk(wire),
    ...createMarketUnits(grid),
  };
}

/** What only networks have that switched it on. */
/** From wire form. */
export const decodeLimits = (limits: NonNullable<WireMarket['limits']>): MarketLimits => ({
  openInterestMax: toBigint(limits.open_interest_max),
  positionMax: toBigint(limits.position_max),
  priceBandBps: limits.price_band_bps,
  orderNotionalMax: toBigint(limits.order_notional_max),
});

function decodeRisk({ fees, risk_tiers, limits, funding, oracle }: WireMarket): {
  readonly fees?: MarketFees;
  readonly riskTiers?: readonly RiskTier[];
  readonly limits?: MarketLimits;
  readonly funding?: MarketFunding;
  readonly oracle?: MarketOracle;
} {
  return {
    ...(fees === undefined ? {} : { fees: { takerPpm: fees.taker_ppm, makerPpm: fees.maker_ppm } }),
    ...(risk_tiers === undefined
      ? {}
      : {
          riskTiers: risk_tiers.map((tier) => ({
            aboveNotional: toBigint(tier.above_notional),
            initialMarginBps: tier.initial_margin_bps,
            maintenanceMarginBps: tier.maintenance_margin_bps,
          })),
        }),
    ...(limits === undefined ? {} : { limits: decodeLimits(limits) }),
    ...(funding === undefined
      ? {}
      : {
          funding: {
            index: toBigint(funding.index),
            rate: toBigint(funding.rate),
            reference: toBigintOrNull(funding.reference),
          },
        }),
    ...(oracle === undefined
      ? {}
      : {
          oracle: {
            index: toBigintOrNull(oracle.index_price),
            premium: toBigint(oracle.premium),
            staleSinceMs: toNumberOrNull(oracle.stale_since_ms),
            resumesAtMs: toNumberOrNull(oracle.resumes_at_ms),
          },
        }),
  };
}
