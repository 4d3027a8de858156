import type { Market } from '@prime/sdk';
import type { Collateral } from '../desk.ts';
import type { CcxtExchange, Structure } from '../library.ts';
import { decimalText } from '../numbers.ts';
import { plain } from '../plain.ts';

const bpsOne = 10_000;
const ppmDecimals = 6;

/**
 * A market as ccxt's structure: a perpetual, linear swap of one base per contract, all of them settled in the one collateral.
 *
 * @param minNotional least value of an order, wei; null where it is not known
 */
export function parseMarket(
  exchange: CcxtExchange,
  market: Market,
  { collateral, minNotional }: { readonly collateral: Collateral; readonly minNotional: bigint | null },
): Structure {
  const number = (text: string | undefined): number | undefined => exchange.parseNumber(text);
  const [base, quote] = [exchange.safeCurrencyCode(market.base), exchange.safeCurrencyCode(market.quote)];
  const { takerPpm, makerPpm } = market.fees ?? { takerPpm: 0, makerPpm: 0 };
  const rate = (ppm: number): number | undefined => number(decimalText(BigInt(ppm), ppmDecimals));
  const lot = market.formatSize(market.lotSize);
  const tick = market.formatPrice(market.tickSize);
  const cost = minNotional === null || minNotional === 0n ? undefined : market.formatQuoteAmount(minNotional);
  return exchange.safeMarketStructure({
    id: String(market.marketId),
    symbol: `${base}/${quote}:${collateral.code}`,
    base,
    quote,
    settle: collateral.code,
    baseId: market.base,
    quoteId: market.quote,
    settleId: collateral.code,
    type: 'swap',
    spot: false,
    margin: false,
    swap: true,
    future: false,
    option: false,
    index: false,
    active: market.status === 'trading',
    contract: true,
    linear: true,
    inverse: false,
    quanto: false,
    taker: rate(takerPpm),
    maker: rate(makerPpm),
    contractSize: number('1'),
    precision: { amount: number(lot), price: number(tick) },
    limits: {
      leverage: { min: number('1'), max: number(String(Math.floor(bpsOne / market.initialMarginBps))) },
      amount: { min: number(lot), max: undefined },
      price: { min: number(tick), max: undefined },
      cost: { min: number(cost), max: undefined },
    },
    marginModes: { cross: true, isolated: false },
    created: undefined,
    info: plain(market),
  });
}

/** Smallest part of a currency. */
const precisionOf = (decimals: number): string => decimalText(1n, decimals);

/**
 * Currencies that markets name. Only collateral exists: it is the coin of the chain, and moves in and out. Bases and other quotes are
 * names that prices are told in; nobody holds them.
 */
export function parseCurrencies(
  exchange: CcxtExchange,
  markets: readonly Market[],
  collateral: Collateral,
): Record<string, Structure> {
  const decimals = new Map<string, { readonly id: string; readonly decimals: number }>();
  for (const { base, quote, baseDecimals, quoteDecimals } of markets)
    for (const [id, own] of [
      [base, baseDecimals],
      [quote, quoteDecimals],
    ] as const) {
      const code = exchange.safeCurrencyCode(id);
      if ((decimals.get(code)?.decimals ?? -1) < own) decimals.set(code, { id, decimals: own });
    }
  decimals.set(collateral.code, { id: collateral.code, decimals: collateral.decimals });
  return Object.fromEntries(
    [...decimals].map(([code, { id, decimals: own }]) => {
      const isHeld = code === collateral.code;
      const currency = {
        id,
        code,
        name: code,
        type: isHeld ? 'crypto' : 'other',
        active: isHeld,
        deposit: isHeld,
        withdraw: isHeld,
        fee: isHeld ? exchange.parseNumber('0') : undefined,
        precision: exchange.parseNumber(precisionOf(own)),
        info: { id, decimals: own, isCollateral: isHeld },
      };
      return [code, exchange.safeCurrencyStructure(currency)];
    }),
  );
}
