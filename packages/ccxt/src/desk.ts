import { createMarketUnits, type MarketUnits, type PrimeActions, type PrimeWalletActions } from '@prime/sdk';
import type { BlockTimes } from './blockTimes.ts';
import type { CcxtExchange, CcxtLibrary, CcxtMarket, ExceptionName, Params, Symbols } from './library.ts';
import { decimalText } from './numbers.ts';

/** Currency of all collateral, and by which power of ten its wei are shown. */
export interface Collateral {
  readonly code: string;
  readonly decimals: number;
}

/** The reads of a node, besides those of viem that are used. */
export type Reader = PrimeActions & {
  getBlockNumber(options: { readonly cacheTime: number }): Promise<bigint>;
  getBalance(options: { readonly address: `0x${string}` }): Promise<bigint>;
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
};

/** What the methods of one exchange instance work with. */
export interface Desk {
  readonly exchange: CcxtExchange;
  readonly library: CcxtLibrary;
  readonly reader: Reader;
  readonly times: BlockTimes;
  /** URLs of nodes for streams. */
  readonly streamUrls: readonly string[];
  /** Signs and sends. @throws AuthenticationError without a private key */
  writer(): PrimeWalletActions;
  /** The account that is asked about and traded for, lower case. @throws AuthenticationError without one */
  address(): `0x${string}`;
}

/** A market as the chain has it. */
export interface KnownMarket extends MarketUnits {
  readonly marketId: number;
  readonly symbol: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
}

const known = new WeakMap<CcxtMarket, KnownMarket>();

/** The units of a market from its `info`, which may have been written to a file in between. */
export function unitsOf(market: CcxtMarket): KnownMarket {
  const kept = known.get(market);
  if (kept !== undefined) return kept;
  const { info } = market;
  const grid = {
    symbol: String(info['symbol']),
    tickSize: BigInt(String(info['tickSize'])),
    lotSize: BigInt(String(info['lotSize'])),
    baseDecimals: Number(info['baseDecimals']),
    quoteDecimals: Number(info['quoteDecimals']),
  };
  const units = { marketId: Number(info['marketId']), ...grid, ...createMarketUnits(grid) };
  known.set(market, units);
  return units;
}

/** The market of an id. Markets that were opened since they were read are read again. */
export async function marketOfId(desk: Desk, marketId: number): Promise<CcxtMarket> {
  const find = (): CcxtMarket | undefined => desk.exchange.markets_by_id?.[String(marketId)]?.[0];
  const found = find();
  if (found !== undefined) return found;
  await desk.exchange.loadMarkets(true);
  return find() ?? fail(desk, 'BadSymbol', `has no market ${marketId}`);
}

/** The markets that some things are of, by id. */
export async function marketsOf(
  desk: Desk,
  things: readonly { readonly marketId: number }[],
): Promise<ReadonlyMap<number, CcxtMarket>> {
  const markets = new Map<number, CcxtMarket>();
  for (const id of new Set(things.map(({ marketId }) => marketId))) markets.set(id, await marketOfId(desk, id));
  return markets;
}

/** Id of a market by its symbol; undefined for all. */
export const marketIdOf = ({ exchange }: Desk, symbol: string | undefined): number | undefined =>
  symbol === undefined ? undefined : unitsOf(exchange.market(symbol)).marketId;

/** Says of symbols as markets have them whether they are wanted: all are where none are named. */
export function wantedOf({ exchange }: Desk, symbols: Symbols): (symbol: string) => boolean {
  const wanted = symbols === undefined ? null : new Set(exchange.marketSymbols(symbols));
  return (symbol) => wanted === null || wanted.has(symbol);
}

/** Throws one of ccxt's exceptions, with the name of the exchange before the words. */
export function fail(
  { exchange, library }: Pick<Desk, 'exchange' | 'library'>,
  name: ExceptionName,
  words: string,
): never {
  throw new library[name](`${exchange.id} ${words}`);
}

/** Currency of collateral, as the options say, or as the first market does. */
export function collateralOf(exchange: CcxtExchange): Collateral {
  const first = Object.values(exchange.markets ?? {}).toSorted((a, b) => Number(a.id) - Number(b.id))[0];
  return chooseCollateral(
    exchange,
    first === undefined ? null : { code: first.quote, decimals: unitsOf(first).quoteDecimals },
  );
}

const weiDecimals = 18;

/** @param first the quote of the market with the lowest id */
export function chooseCollateral(exchange: CcxtExchange, first: Collateral | null): Collateral {
  const { collateral, collateralDecimals } = exchange.options;
  return {
    code: typeof collateral === 'string' ? collateral : (first?.code ?? 'PRIME'),
    decimals: typeof collateralDecimals === 'number' ? collateralDecimals : (first?.decimals ?? weiDecimals),
  };
}

/** Wei of collateral as people write them. */
export const collateralText = (exchange: CcxtExchange, wei: bigint): string =>
  decimalText(wei, collateralOf(exchange).decimals);

/** A parameter that is a number where it is given. @throws BadRequest for anything else */
export function numberParameter(desk: Desk, params: Params, name: string): number | undefined {
  const value = params[name];
  if (value === undefined || typeof value === 'number') return value;
  return fail(desk, 'BadRequest', `takes a number for params.${name}`);
}

/** A parameter that is text where it is given. @throws BadRequest for anything else */
export function textParameter(desk: Desk, params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || typeof value === 'string') return value;
  return fail(desk, 'BadRequest', `takes text for params.${name}`);
}
