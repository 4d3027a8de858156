import {
  accountMargin,
  type AccountMargin,
  type Holdings,
  type MarginMarket,
  noStake,
  storedMarginMarket,
} from '@prime/clob';
import {
  accountRecordKey,
  type AccountRecord,
  decodeAccountRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeParametersRecord,
  decodeOrderRecord,
  type GlobalRecord,
  globalRecordKey,
  type MarketRecord,
  marketRecordKey,
  parametersRecordKey,
  type OrderRecord,
  orderRecordKey,
  type Side,
  orderName,
} from '@prime/codec';
import {
  abiError,
  abiList,
  abiText,
  type AbiValue,
  bookDepthMax,
  encodeAbi,
  type OrderQuery,
  parseOrderQuery,
} from '@prime/predeploy';
import type { OrderAnswer, OrderViews, StateDatabase } from '@prime/evm';
import { type Address, assert, type Height, type MarketId, type OrderId } from '@prime/primitives';
import { createBookSource, type BookSource } from './bookSource.ts';
import { clientOrderKey, decodeClientOrder, decodeOpenOrders, openOrdersKey, orderStatus } from './viewRecords.ts';

/** Where the views lie, and the rule of genesis that they need. */
export interface OrderViewsOptions {
  readonly database: Pick<StateDatabase, 'getSync' | 'scan'>;
  /** Blocks with trades that a market needs before it counts for liquidations: `clob.mark.minTrades` of genesis. */
  readonly minTrades: number;
}

/** Heights whose answers stay in memory. */
const sourcesMax = 4;

/**
 * What contracts read of the order book, at any height whose state is kept: from the records and views of the database, by the rules of
 * margin that actions are judged by.
 */
export function createOrderViews({ database, minTrades }: OrderViewsOptions): OrderViews {
  const sources = new Map<Height, BookSource>();
  const sourceAt = (height: Height): BookSource => {
    const source = sources.get(height) ?? createBookSource(database, height);
    sources.delete(height);
    sources.set(height, source);
    for (const oldest of sources.keys()) {
      if (sources.size <= sourcesMax) break;
      sources.delete(oldest);
    }
    return source;
  };
  return {
    async read(input, height) {
      const query = parseOrderQuery(input);
      if ('refused' in query) return refuse(query.refused);
      return new Answers(sourceAt(height), minTrades).to(query);
    },
  };
}

const answer = (...values: readonly AbiValue[]): OrderAnswer => ({ ok: true, output: encodeAbi(values) });
const refuse = (reason: string): OrderAnswer => ({ ok: false, output: abiError(reason) });
const unknownMarket = (marketId: number): OrderAnswer => refuse(`unknown market ${marketId}`);

type MarketQuery = Extract<OrderQuery, { readonly view: 'market' | 'bestPrices' | 'book' }>;
type BookQuery = Extract<OrderQuery, { readonly view: 'book' }>;

class Answers {
  readonly #book: BookSource;
  readonly #minTrades: number;

  constructor(book: BookSource, minTrades: number) {
    this.#book = book;
    this.#minTrades = minTrades;
  }

  async to(query: OrderQuery): Promise<OrderAnswer> {
    switch (query.view) {
      case 'markets': {
        // What takes longer than its gas says is done once: who calls with too little gas for the answer has it made all the same.
        return this.#book.once('markets', () => this.#markets());
      }
      case 'insuranceFund':
        return answer((await this.#globals()).insurance);
      case 'market':
      case 'bestPrices':
      case 'book':
        return this.#ofMarket(query);
      case 'position':
        return this.#position(query.owner, query.marketId);
      case 'account':
      case 'isLiquidatable':
        return this.#account(query.owner, query.view);
      case 'order':
        return this.#order(query.orderId);
      case 'orderByClientId':
        return this.#clientOrder(query.owner, query.clientId);
      default:
        return assert(false, 'a read of the order book without an answer') as never;
    }
  }

  async #ofMarket(query: MarketQuery): Promise<OrderAnswer> {
    const market = await this.#market(query.marketId);
    if (market === undefined) return unknownMarket(query.marketId);
    if (query.view === 'market') {
      const { initialMarginBps, maintenanceMarginBps } = market.margin ?? (await this.#globals()).defaultMargin;
      const { symbol, tickSize, lotSize, baseDecimals, quoteDecimals } = market;
      const numbers = [initialMarginBps, maintenanceMarginBps, baseDecimals, quoteDecimals];
      return answer(abiText(symbol), tickSize, lotSize, ...numbers.map(BigInt));
    }
    if (query.view === 'bestPrices') {
      const best = async (side: Side): Promise<bigint> =>
        (await this.#book.levels(query.marketId, side, 1))[0]?.price ?? 0n;
      return answer(await best('buy'), await best('sell'), market.lastPrice ?? 0n, market.markPrice ?? 0n);
    }
    return this.#levels(query);
  }

  async #levels({ marketId, depth }: BookQuery): Promise<OrderAnswer> {
    if (depth > bookDepthMax) return refuse(`depth is more than ${bookDepthMax}`);
    const side = async (of: Side): Promise<Uint8Array> => {
      const levels = await this.#book.levels(marketId, of, depth);
      return abiList(
        levels.flatMap(({ price, size }) => [price, size]),
        2,
      );
    };
    return answer(await side('buy'), await side('sell'));
  }

  async #position(owner: Address, marketId: number): Promise<OrderAnswer> {
    if ((await this.#market(marketId)) === undefined) return unknownMarket(marketId);
    const position = (await this.#accountOf(owner))?.positions.find((one) => one.marketId === marketId);
    return answer(position?.size ?? 0n, position?.entry ?? 0n);
  }

  async #account(owner: Address, view: 'account' | 'isLiquidatable'): Promise<OrderAnswer> {
    const { collateral, margin } = await this.#book.once(`margin ${owner}`, () => this.#margin(owner));
    if (view === 'isLiquidatable') return answer(margin.isLiquidatable ? 1n : 0n);
    const { equity, initial, maintenance, withdrawable } = margin;
    return answer(collateral, equity, initial, maintenance, withdrawable);
  }

  async #margin(owner: Address): Promise<{ readonly collateral: bigint; readonly margin: AccountMargin }> {
    const holdings = await this.#holdings(owner);
    const markets = new Map<number, MarginMarket>();
    for (const { marketId } of holdings.exposures) markets.set(marketId, await this.#marginMarket(marketId));
    return { collateral: holdings.collateral, margin: accountMargin(holdings, (id) => markets.get(id)!) };
  }

  async #markets(): Promise<OrderAnswer> {
    const { nextMarketId } = await this.#globals();
    return answer(abiList(Array.from({ length: nextMarketId - 1 }, (_, index) => BigInt(index + 1))));
  }

  async #order(orderId: bigint): Promise<OrderAnswer> {
    const order = await this.#orderOf(orderId);
    if (order === undefined) return answer(0n, 0n, 0n, 0n, 0n);
    const { owner, marketId, side, price, remaining } = order;
    return answer(BigInt(owner), BigInt(marketId), side === 'buy' ? 1n : 0n, price, remaining);
  }

  async #clientOrder(owner: Address, clientId: string): Promise<OrderAnswer> {
    const stored = await this.#book.view(clientOrderKey(orderName(owner, clientId)));
    if (stored === undefined) return answer(0n, BigInt(orderStatus.unknown), 0n);
    const { orderId, status, filled } = decodeClientOrder(stored);
    if (status !== orderStatus.open) return answer(BigInt(orderId), BigInt(status), filled);
    const order = await this.#orderOf(BigInt(orderId));
    assert(order !== undefined, `open order ${orderId} has no record`);
    return answer(BigInt(orderId), BigInt(status), order.size - order.remaining);
  }

  /** Collateral and positions, with the sums of open orders that margin asks for. */
  async #holdings(owner: Address): Promise<Holdings> {
    const account = await this.#accountOf(owner);
    const stored = await this.#book.view(openOrdersKey(owner));
    const exposures = new Map<number, Holdings['exposures'][number]>();
    for (const { marketId, size, entry, fundingIndex = 0n } of account?.positions ?? [])
      exposures.set(marketId, { ...noStake, marketId, size, entry, fundingIndex });
    for (const { marketId, amount: claim } of account?.claims ?? [])
      exposures.set(marketId, { ...noStake, ...exposures.get(marketId), marketId, claim });
    for (const sums of stored === undefined ? [] : decodeOpenOrders(stored))
      exposures.set(sums.marketId, { ...noStake, ...exposures.get(sums.marketId), ...sums });
    return { collateral: account?.collateral ?? 0n, exposures: [...exposures.values()] };
  }

  async #marginMarket(id: number): Promise<MarginMarket> {
    const market = await this.#market(id);
    assert(market !== undefined, `an account has an exposure in unknown market ${id}`);
    const params = await this.#book.record(parametersRecordKey(), decodeParametersRecord);
    const minTrades = params?.mark.minTrades ?? this.#minTrades;
    return storedMarginMarket(market, (await this.#globals()).defaultMargin, minTrades);
  }

  async #globals(): Promise<GlobalRecord> {
    const globals = await this.#book.record(globalRecordKey(), decodeGlobalRecord);
    assert(globals !== undefined, 'the order book has no global record');
    return globals;
  }

  #market(id: number): Promise<MarketRecord | undefined> {
    return this.#book.record(marketRecordKey(id as MarketId), decodeMarketRecord);
  }

  #accountOf(owner: Address): Promise<AccountRecord | undefined> {
    return this.#book.record(accountRecordKey(owner), decodeAccountRecord);
  }

  async #orderOf(id: bigint): Promise<OrderRecord | undefined> {
    if (id > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    return this.#book.record(orderRecordKey(Number(id) as OrderId), decodeOrderRecord);
  }
}
