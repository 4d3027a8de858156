import type { DomainEventOf, Market } from '@prime/sdk';
import { findEntries } from '../accountHistory.ts';
import {
  collateralOf,
  collateralText,
  type Desk,
  fail,
  marketIdOf,
  marketOfId,
  marketsOf,
  unitsOf,
  wantedOf,
} from '../desk.ts';
import { findEvents } from '../history.ts';
import { type CcxtMarket, rowsDefault, type RowsQuery, type Structure, type Symbols } from '../library.ts';
import { ratioText } from '../numbers.ts';
import { entryId } from '../parse/trade.ts';
import { plain } from '../plain.ts';
import { fetchTime, fundingInterval } from './markets.ts';

const rateDecimals = 12;
const msOfSecond = 1000;

/** What a long pays of its notional in one interval. @param reference the price that is compared with, in the same unit */
const rateText = (change: bigint, reference: bigint): string => ratioText(change, reference, rateDecimals);

interface When {
  readonly seconds: number;
  readonly now: number | undefined;
}

/** Where funding of a market stands: the rate of the latest interval, and when the next one ends. */
function rateOf(desk: Desk, market: CcxtMarket, current: Market, { seconds, now }: When): Structure {
  const { exchange } = desk;
  const { rate, reference } = current.funding!;
  const intervalMs = seconds * msOfSecond;
  const next = now === undefined ? undefined : (Math.floor(now / intervalMs) + 1) * intervalMs;
  const { formatPrice } = unitsOf(market);
  const price = (value: bigint | null): number | undefined =>
    value === null ? undefined : exchange.parseNumber(formatPrice(value));
  return {
    info: plain(current.funding!),
    symbol: market.symbol,
    markPrice: price(current.markPrice),
    indexPrice: price(current.oracle?.index ?? null),
    interestRate: undefined,
    estimatedSettlePrice: undefined,
    timestamp: now,
    datetime: exchange.iso8601(now),
    fundingRate: reference === null || reference === 0n ? undefined : exchange.parseNumber(rateText(rate, reference)),
    fundingTimestamp: next,
    fundingDatetime: exchange.iso8601(next),
    nextFundingRate: undefined,
    nextFundingTimestamp: undefined,
    nextFundingDatetime: undefined,
    previousFundingRate: undefined,
    previousFundingTimestamp: undefined,
    previousFundingDatetime: undefined,
    interval: intervalText(seconds),
  };
}

/** 3600 as `1h`. */
function intervalText(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
  ] as const;
  const found = units.find(([size]) => seconds % size === 0);
  return found === undefined ? `${seconds}s` : `${seconds / found[0]}${found[1]}`;
}

/** @throws NotSupported on a network without funding */
async function intervalOf(desk: Desk): Promise<number> {
  return (await fundingInterval(desk)) ?? fail(desk, 'NotSupported', 'has no funding on this network');
}

/** Funding rates by symbol; markets without funding are left out. */
export async function fetchFundingRates(desk: Desk, symbols?: Symbols): Promise<Record<string, Structure>> {
  const seconds = await intervalOf(desk);
  const isWanted = wantedOf(desk, symbols);
  const [current, now] = await Promise.all([desk.reader.getMarkets(), fetchTime(desk)]);
  const rates: [string, Structure][] = [];
  for (const each of current) {
    const market = await marketOfId(desk, each.marketId);
    if (each.funding !== undefined && isWanted(market.symbol))
      rates.push([market.symbol, rateOf(desk, market, each, { seconds, now })]);
  }
  return Object.fromEntries(rates);
}

/**
 * Funding rate of one market.
 *
 * @throws ccxt's `NotSupported` for a market without funding
 */
export async function fetchFundingRate(desk: Desk, symbol: string): Promise<Structure> {
  const market = desk.exchange.market(symbol);
  const found = (await fetchFundingRates(desk, [market.symbol]))[market.symbol];
  return found ?? fail(desk, 'NotSupported', `has no funding in ${symbol}`);
}

/** Intervals whose payment was not 0; the newest where no time is given. */
export async function fetchFundingRateHistory(
  desk: Desk,
  { symbol, since, limit = rowsDefault }: RowsQuery,
): Promise<Structure[]> {
  await intervalOf(desk);
  const marketId = marketIdOf(desk, symbol);
  const isWanted = ({ data }: DomainEventOf<'funding_index'>): boolean =>
    marketId === undefined || data.marketId === marketId;
  const isEnough = (found: readonly DomainEventOf<'funding_index'>[]): boolean =>
    found.filter(isWanted).length >= limit;
  const events = (await findEvents(desk, 'funding_index', since, isEnough)).filter(isWanted);
  const markets = await marketsOf(
    desk,
    events.map(({ data }) => data),
  );
  const rows = events.map(({ data, timeMs }) => ({
    info: plain(data),
    symbol: markets.get(data.marketId)!.symbol,
    fundingRate: data.reference === 0n ? undefined : desk.exchange.parseNumber(rateText(data.change, data.reference)),
    timestamp: timeMs,
    datetime: desk.exchange.iso8601(timeMs),
  }));
  return desk.exchange.filterBySinceLimit(rows, since, limit, 'timestamp', since === undefined);
}

/** Funding that the account paid (negative) or got, when it was settled; the newest where no time is given. */
export async function fetchFundingHistory(desk: Desk, query: RowsQuery): Promise<Structure[]> {
  await intervalOf(desk);
  const payments = await findEntries(desk, (page) => desk.reader.getFunding(page), query);
  const markets = await marketsOf(desk, payments);
  return payments.map((payment) => ({
    info: plain(payment),
    symbol: markets.get(payment.marketId)!.symbol,
    code: collateralOf(desk.exchange).code,
    timestamp: payment.timeMs,
    datetime: desk.exchange.iso8601(payment.timeMs),
    id: entryId(payment),
    amount: desk.exchange.parseNumber(collateralText(desk.exchange, payment.amount)),
  }));
}
