/**
 * What this package uses of ccxt, and nothing more. ccxt is a peer: the classes are made of the copy that the program has, so that
 * `instanceof` with its errors holds, and a workspace without ccxt can build and test everything but the last line of `index.ts`.
 */

/** A structure of ccxt's manual (order, trade, market, …): plain JSON. */
export type Structure = Record<string, unknown>;
/** A number as a caller gives it. Text is exact; a float is taken by its shortest decimal. */
export type Num = number | string;
/** Last argument of ccxt's methods: what only this exchange understands. */
export type Params = Readonly<Record<string, unknown>>;
/** Symbols that are wanted; all when left out. */
export type Symbols = readonly string[] | undefined;
/** ms since 1970. */
export type Since = number | undefined;
/** How many rows are wanted at most; the method's own default when left out. */
export type Limit = number | undefined;

/** Rows that are given where nobody says how many. */
export const rowsDefault = 100;
/** Which rows are wanted: of one market or of all, from when on, and how many. */
export interface RowsQuery {
  readonly symbol?: string | undefined;
  readonly since: Since;
  readonly limit: Limit;
  readonly params?: Params | undefined;
}

/** A market as `loadMarkets` keeps it. */
export interface CcxtMarket extends Structure {
  readonly id: string;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly settle: string;
  readonly active: boolean;
  readonly taker: number;
  readonly maker: number;
  readonly info: Structure;
}

/** Methods and properties of ccxt's base class that the adapter calls. */
export interface CcxtExchange {
  readonly id: string;
  options: Structure;
  urls: Structure;
  timeout: number;
  newUpdates: boolean;
  enableRateLimit: boolean;
  privateKey?: string | undefined;
  walletAddress?: string | undefined;
  markets: Record<string, CcxtMarket> | undefined;
  markets_by_id: Record<string, readonly CcxtMarket[]> | undefined;
  describe(): Structure;
  deepExtend(...parts: readonly unknown[]): Structure;
  loadMarkets(reload?: boolean): Promise<unknown>;
  market(symbol: string): CcxtMarket;
  currency(code: string): Structure;
  marketSymbols(symbols: Symbols): readonly string[] | undefined;
  safeCurrencyCode(id: string): string;
  safeMarketStructure(market: Structure): Structure;
  safeCurrencyStructure(currency: Structure): Structure;
  safeOrder(order: Structure, market?: CcxtMarket): Structure;
  safeTrade(trade: Structure, market?: CcxtMarket): Structure;
  safeTicker(ticker: Structure, market?: CcxtMarket): Structure;
  safeBalance(balance: Structure): Structure;
  safePosition(position: Structure): Structure;
  safeLedgerEntry(entry: Structure, currency?: Structure): Structure;
  safeLiquidation(liquidation: Structure, market?: CcxtMarket): Structure;
  safeOpenInterest(interest: Structure, market?: CcxtMarket): Structure;
  parseNumber(text: string | undefined): number | undefined;
  numberToString(value: Num): string;
  milliseconds(): number;
  iso8601(ms: number | undefined): string | undefined;
  filterBySinceLimit(
    items: readonly Structure[],
    since: Since,
    limit: Limit,
    key?: string,
    tail?: boolean,
  ): Structure[];
  orderBook(snapshot: Structure, depth?: number): Structure;
  throttle(cost?: number): Promise<unknown>;
  fetch(url: string, method: string, headers: Structure, body: string): Promise<unknown>;
  handleErrors(...answer: readonly unknown[]): unknown;
  checkRequiredCredentials(error?: boolean): boolean;
  close(cleanInstanceCache?: boolean): Promise<unknown>;
}

/** Names of ccxt's exceptions that the adapter throws. */
export const exceptionNames = [
  'ArgumentsRequired',
  'AuthenticationError',
  'BadRequest',
  'BadResponse',
  'BadSymbol',
  'ChecksumError',
  'DuplicateOrderId',
  'ExchangeClosedByUser',
  'ExchangeError',
  'ExchangeNotAvailable',
  'InsufficientFunds',
  'InvalidAddress',
  'InvalidNonce',
  'InvalidOrder',
  'MarketClosed',
  'NetworkError',
  'NotSupported',
  'OperationRejected',
  'OrderImmediatelyFillable',
  'OrderNotFillable',
  'OrderNotFound',
  'PermissionDenied',
  'RateLimitExceeded',
  'RequestTimeout',
] as const;
/** One of {@link exceptionNames}. */
export type ExceptionName = (typeof exceptionNames)[number];
type ExceptionClass = new (message: string) => Error;

/** ccxt itself, as `import ccxt from 'ccxt'` gives it. Its own types call almost everything optional, so the base class is any class here. */
export type CcxtLibrary = Readonly<Record<ExceptionName | 'BaseError', ExceptionClass>> & {
  readonly Exchange: new (config?: object) => object;
};

/** The base class as the adapter uses it. What runs against the real ccxt shows that it is so. */
export const baseClassOf = ({ Exchange }: CcxtLibrary) => Exchange as new (config?: object) => CcxtExchange;
