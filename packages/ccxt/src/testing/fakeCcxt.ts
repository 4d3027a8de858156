import { type CcxtLibrary, type CcxtMarket, exceptionNames, type Num, type Structure } from '../library.ts';

/** An answer of a node: what it says, or what the network does. */
export type Answer = (method: string, params: readonly unknown[]) => unknown;

class BaseError extends Error {}

const errorClass = (name: string) => ({ [name]: class extends BaseError {} })[name]!;

/**
 * A base class with ccxt's names and the least of its behaviour: numbers are parsed, structures stay as they are given. What the real one
 * makes of them is seen in test/ccxt.
 */
class FakeExchange {
  id = 'Exchange';
  options: Structure = {};
  urls: Structure = {};
  timeout = 1000;
  newUpdates = true;
  enableRateLimit = true;
  privateKey?: string;
  walletAddress?: string;
  markets: Record<string, CcxtMarket> | undefined;
  markets_by_id: Record<string, readonly CcxtMarket[]> | undefined;
  requiredCredentials: Structure = {};
  /** Requests that the rate limiter let through. */
  throttled = 0;
  /** The node behind `fetch`. */
  node: Answer = () => null;

  constructor(config: object = {}) {
    Object.assign(this, this.describe(), config);
  }

  describe(): Structure {
    return { has: { fetchOHLCV: undefined, fetchOrder: undefined, createOrderWs: true, watchTrades: undefined } };
  }
  deepExtend(...parts: readonly object[]): Structure {
    return structuredClone(Object.assign({}, ...parts) as Structure);
  }
  async loadMarkets(reload = false): Promise<unknown> {
    if (this.markets !== undefined && !reload) return this.markets;
    const own = this as unknown as { fetchMarkets(): Promise<readonly CcxtMarket[]> };
    const markets = await own.fetchMarkets();
    this.markets = Object.fromEntries(markets.map((market) => [market.symbol, market]));
    this.markets_by_id = Object.fromEntries(markets.map((market) => [market.id, [market]]));
    return this.markets;
  }
  market(symbol: string): CcxtMarket {
    const market = this.markets?.[symbol];
    if (market === undefined) throw new fakeCcxt.BadSymbol(`${this.id} does not have market symbol ${symbol}`);
    return market;
  }
  currency(code: string): Structure {
    return { id: code, code };
  }
  marketSymbols(symbols: readonly string[] | undefined): readonly string[] | undefined {
    return symbols?.map((symbol) => this.market(symbol).symbol);
  }
  safeCurrencyCode(id: string): string {
    return id.toUpperCase();
  }
  safeMarketStructure = (market: Structure): Structure => market;
  safeCurrencyStructure = (currency: Structure): Structure => currency;
  safeOrder = (order: Structure): Structure => order;
  safeTrade = (trade: Structure): Structure => trade;
  safeTicker = (ticker: Structure): Structure => ticker;
  safeBalance = (balance: Structure): Structure => balance;
  safePosition = (position: Structure): Structure => position;
  safeLedgerEntry = (entry: Structure): Structure => entry;
  safeLiquidation = (liquidation: Structure): Structure => liquidation;
  safeOpenInterest = (interest: Structure): Structure => interest;
  orderBook = (snapshot: Structure): Structure => snapshot;
  parseNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  numberToString = (value: Num): string => String(value);
  milliseconds = (): number => Date.now();
  iso8601 = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());

  filterBySinceLimit(
    items: readonly Structure[],
    since?: number,
    limit?: number,
    key = 'timestamp',
    tail = false,
  ): Structure[] {
    const found = items.filter((item) => since === undefined || Number(item[key]) >= since);
    return limit === undefined ? found : tail ? found.slice(-limit) : found.slice(0, limit);
  }
  async throttle(): Promise<unknown> {
    this.throttled++;
    return undefined;
  }
  /** As ccxt's: what is no answer of JSON-RPC counts by its status. */
  async fetch(_url: string, _method: string, _headers: Structure, body: string): Promise<unknown> {
    const { method, params, id } = JSON.parse(body) as { method: string; params: readonly unknown[]; id: number };
    const { status, answer } = this.#ask(method, params);
    const parsed =
      typeof answer === 'object' && answer !== null && 'raw' in answer
        ? answer.raw
        : { jsonrpc: '2.0', id, ...(answer as object) };
    const handled = this.handleErrors(status, '', '', 'POST', {}, '', parsed);
    if (status === 503 && handled === undefined) throw new fakeCcxt.ExchangeNotAvailable(`${this.id} 503`);
    return parsed;
  }
  #ask(method: string, params: readonly unknown[]): { readonly status: number; readonly answer: unknown } {
    const given = this.node(method, params);
    if (given instanceof Error) throw given;
    if (given instanceof NodeError) return { status: given.status, answer: { error: given.error } };
    if (given instanceof RawAnswer) return { status: given.status, answer: { raw: given.body } };
    return { status: 200, answer: { result: given } };
  }
  handleErrors(..._answer: readonly unknown[]): unknown {
    return undefined;
  }
  checkRequiredCredentials(): boolean {
    if (this.privateKey === undefined)
      throw new fakeCcxt.AuthenticationError(`${this.id} requires "privateKey" credential`);
    return true;
  }
  async close(): Promise<unknown> {
    return undefined;
  }
}

/** An error of JSON-RPC, with the status of HTTP that it comes with. */
export class NodeError {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly status: number;
  constructor(code: number, message: string, data?: unknown, status = 200) {
    this.error = { code, message, data };
    this.status = status;
  }
}

/** A body that is no JSON-RPC. */
export class RawAnswer {
  readonly body: unknown;
  readonly status: number;
  constructor(body: unknown, status: number) {
    this.body = body;
    this.status = status;
  }
}

type ErrorClasses = Record<(typeof exceptionNames)[number], new (message: string) => Error>;

export const fakeCcxt = {
  ...(Object.fromEntries(exceptionNames.map((name) => [name, errorClass(name)])) as unknown as ErrorClasses),
  BaseError,
  Exchange: FakeExchange,
} satisfies CcxtLibrary;
