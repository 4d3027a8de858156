import type { DomainEventData, Market } from '@prime/sdk';
import { collateralText, collateralOf, type Desk, fail, marketOfId, marketsOfIds, unitsOf } from '../desk.ts';
import { findEvents } from '../history.ts';
import type { CcxtMarket, Limit, Since, Structure, Symbols } from '../library.ts';
import { ratioText } from '../numbers.ts';
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
  return {
    info: plain(current.funding!),
    symbol: market.symbol,
    markPrice: current.markPrice === null ? undefined : exchange.parseNumber(formatPrice(current.markPrice)),
    indexPrice: undefined,
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

export async function fetchFundingRates(desk: Desk, symbols: Symbols): Promise<Record<string, Structure>> {
  const seconds = await intervalOf(desk);
  const wanted = symbols === undefined ? undefined : new Set(desk.exchange.marketSymbols(symbols));
  const [current, now] = await Promise.all([desk.reader.getMarkets(), fetchTime(desk)]);
  const rates: [string, Structure][] = [];
  for (const each of current) {
    const market = await marketOfId(desk, each.marketId);
    if (each.funding !== undefined && (wanted === undefined || wanted.has(market.symbol)))
      rates.push([market.symbol, rateOf(desk, market, each, { seconds, now })]);
  }
  return Object.fromEntries(rates);
}

export async function fetchFundingRate(desk: Desk, symbol: string): Promise<Structure> {
  const market = desk.exchange.market(symbol);
  const found = (await fetchFundingRates(desk, [market.symbol]))[market.symbol];
  return found ?? fail(desk, 'NotSupported', `has no funding in ${symbol}`);
}

const rowsDefault = 100;

/** Intervals whose payment was not 0; of one market, or of all. */
export async function fetchFundingRateHistory(
  desk: Desk,
  symbol: string | undefined,
  since: Since,
  limit: Limit,
): Promise<Structure[]> {
  await intervalOf(desk);
  const wanted = limit ?? rowsDefault;
  const marketId = symbol === undefined ? null : unitsOf(desk.exchange.market(symbol)).marketId;
  const isWanted = ({ data }: { readonly data: object }): boolean =>
    marketId === null || (data as DomainEventData['funding_index']).marketId === marketId;
  const enough = (found: readonly { readonly data: object }[]): boolean => found.filter(isWanted).length >= wanted;
  const events = (await findEvents(desk, { kind: 'funding_index' }, since, enough)).filter(isWanted);
  const rows = events.map(async ({ data, blockNumber }) => {
    const { change, reference, marketId: id } = data as unknown as DomainEventData['funding_index'];
    const timestamp = (await desk.times.timeOf(blockNumber)) ?? undefined;
    return {
      info: plain(data),
      symbol: (await marketOfId(desk, id)).symbol,
      fundingRate: reference === 0n ? undefined : desk.exchange.parseNumber(rateText(change, reference)),
      timestamp,
      datetime: desk.exchange.iso8601(timestamp),
    };
  });
  return desk.exchange.filterBySinceLimit(await Promise.all(rows), since, wanted, 'timestamp', since === undefined);
}

/** Funding that the account paid (negative) or got, when it was settled. */
export async function fetchFundingHistory(
  desk: Desk,
  symbol: string | undefined,
  since: Since,
  limit: Limit,
): Promise<Structure[]> {
  await intervalOf(desk);
  const wanted = limit ?? rowsDefault;
  const marketId = symbol === undefined ? null : unitsOf(desk.exchange.market(symbol)).marketId;
  const isWanted = ({ data }: { readonly data: object }): boolean =>
    marketId === null || (data as DomainEventData['funding_paid']).marketId === marketId;
  const filter = { kind: 'funding_paid', address: desk.address() };
  const enough = (found: readonly { readonly data: object }[]): boolean => found.filter(isWanted).length >= wanted;
  const events = (await findEvents(desk, filter, since, enough)).filter(isWanted);
  const markets = await marketsOfIds(
    desk,
    events.map(({ data }) => Number(data['marketId'])),
  );
  const { code } = collateralOf(desk.exchange);
  const rows = events.map(async ({ data, blockNumber, index }) => {
    const paid = data as unknown as DomainEventData['funding_paid'];
    const timestamp = (await desk.times.timeOf(blockNumber)) ?? undefined;
    return {
      info: plain(data),
      id: `${blockNumber}-${index}`,
      symbol: markets.get(paid.marketId)!.symbol,
      code,
      timestamp,
      datetime: desk.exchange.iso8601(timestamp),
      amount: desk.exchange.parseNumber(collateralText(desk.exchange, paid.amount)),
    };
  });
  return desk.exchange.filterBySinceLimit(await Promise.all(rows), since, wanted, 'timestamp', since === undefined);
}
