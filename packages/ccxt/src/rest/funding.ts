import type { DomainEventOf, Market } from '@prime/sdk';
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
import { type EventFilter, findEvents } from '../history.ts';
import { type CcxtMarket, rowsDefault, type RowsQuery, type Structure, type Symbols } from '../library.ts';
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

/** What events of funding say, each as a row with its market and time; the newest where no time is given. */
async function fundingRows<kind extends 'funding_index' | 'funding_paid'>(
  desk: Desk,
  filter: EventFilter<kind>,
  { symbol, since, limit = rowsDefault }: RowsQuery,
  toRow: (event: DomainEventOf<kind>) => Structure,
): Promise<Structure[]> {
  await intervalOf(desk);
  const marketId = marketIdOf(desk, symbol);
  const isWanted = ({ data }: DomainEventOf<kind>): boolean => marketId === undefined || data.marketId === marketId;
  const enough = (found: readonly DomainEventOf<kind>[]): boolean => found.filter(isWanted).length >= limit;
  const events = (await findEvents(desk, filter, since, enough)).filter(isWanted);
  const markets = await marketsOf(
    desk,
    events.map(({ data }) => data),
  );
  const rows = events.map(async (event) => {
    const timestamp = await desk.times.timeOf(event.blockNumber);
    const { symbol: of } = markets.get(event.data.marketId)!;
    return { ...toRow(event), symbol: of, timestamp, datetime: desk.exchange.iso8601(timestamp) };
  });
  return desk.exchange.filterBySinceLimit(await Promise.all(rows), since, limit, 'timestamp', since === undefined);
}

/** Intervals whose payment was not 0. */
export const fetchFundingRateHistory = (desk: Desk, query: RowsQuery): Promise<Structure[]> =>
  fundingRows(desk, { kind: 'funding_index' }, query, ({ data }) => ({
    info: plain(data),
    fundingRate: data.reference === 0n ? undefined : desk.exchange.parseNumber(rateText(data.change, data.reference)),
  }));

/** Funding that the account paid (negative) or got, when it was settled. */
export const fetchFundingHistory = (desk: Desk, query: RowsQuery): Promise<Structure[]> =>
  fundingRows(desk, { kind: 'funding_paid', address: desk.address() }, query, ({ data, blockNumber, index }) => ({
    info: plain(data),
    id: `${blockNumber}-${index}`,
    code: collateralOf(desk.exchange).code,
    amount: desk.exchange.parseNumber(collateralText(desk.exchange, data.amount)),
  }));
