import {
  decodeMarketRecord,
  decodeOrderRecord,
  type MarketRecord,
  type OrderKey,
  type OrderRecord,
  recordKind,
  recordNumber,
  type RecordWrite,
} from '@prime/codec';
import {
  type Address,
  bytesToHex,
  type Height,
  type MarketId,
  type OrderId,
  type TimestampMs,
} from '@prime/primitives';
import type {
  AgentInfo,
  DayStatistics,
  InsolventAccount,
  MarginAccount,
  Market,
  MarketDebt,
  MarketInfo,
  MarketMid,
  MarketTrade,
  OpenOrder,
  OrderBook,
  OrderBooks,
  OrderInfo,
  SubAccountInfo,
  Ticker,
} from '@prime/rpc';
import { Agents } from './agents.ts';
import {
  type BookChange,
  type BookOrdersChange,
  changedLevels,
  isOtherInBook,
  midOf,
  type OrderBookChanges,
  type OrderChange,
  type TopOfBook,
} from './books/bookChanges.ts';
import { WaitingTriggers } from './waitingTriggers.ts';
import { emptyBook, type MarketBook } from './books/bookSide.ts';
import { ClosedOrders } from './closedOrders.ts';
import { MarginAccounts, type MarginRules } from './marginAccounts.ts';
import { type BlockTimes, marketStanding, type MarketStanding, Reporters } from './marketStanding.ts';
import { toOpenOrder } from './openOrder.ts';
import { ScheduledCancels } from './scheduledCancels.ts';
import { TradeHistory } from './tradeHistory.ts';

/** What markets traded in the last 24 hours. */
interface TradedDays {
  of(id: MarketId): DayStatistics;
}
const noDays: TradedDays = { of: () => ({ sinceMs: 0, traded: null }) };

/** Sizes before the block of the levels that it touched. */
type Touched = Map<MarketId, { readonly bids: Map<bigint, bigint>; readonly asks: Map<bigint, bigint> }>;

/**
 * Markets, resting orders and aggregated levels of the whole order book domain, kept by the records that each block wrote. A
 * question about a book never reaches the thread that matches orders.
 */
export class OrderBookModel implements OrderBooks {
  private readonly markets = new Map<MarketId, MarketRecord>();
  private readonly books = new Map<MarketId, MarketBook>();
  private readonly orders = new Map<OrderId, OrderRecord>();
  private readonly byOwner = new Map<Address, Map<OrderId, OrderRecord>>();
  /** Height at which the records were loaded: what a book without a later change has as its sequence. */
  private loadedHeight = 0;
  private touched: Touched = new Map();
  private readonly closed = new ClosedOrders();
  private readonly history = new TradeHistory();
  private readonly agentRecords = new Agents();
  private readonly scheduled = new ScheduledCancels();
  private readonly triggers = new WaitingTriggers();
  readonly reporters = new Reporters();
  private readonly margins: MarginAccounts;
  private readonly days: TradedDays;

  /** @param days what the markets traded in the last 24 hours */
  constructor(rules: MarginRules, days: TradedDays = noDays) {
    this.days = days;
    const openOrdersOf = (owner: Address): Iterable<OrderRecord> => this.byOwner.get(owner)?.values() ?? [];
    this.margins = new MarginAccounts({ market: (id) => this.markets.get(id), openOrdersOf }, rules);
  }

  /** Loads all records of the domain, as they are after a block. @throws CodecError when one is malformed */
  load(records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>, height: number): void {
    this.loadedHeight = height;
    for (const [key, value] of records) this.write({ key, value });
    this.touched = new Map();
    for (const book of this.books.values()) {
      book.sequence = height;
      book.orderSequence = height;
    }
  }

  /** Applies what a block wrote. @returns what that changed @throws CodecError when a record is malformed */
  apply(writes: readonly RecordWrite[], height: number): OrderBookChanges {
    this.touched = new Map();
    const before = new Map<OrderId, OrderRecord | null>();
    const markets = new Set<MarketId>();
    const accounts = new Set<Address>();
    for (const write of writes) {
      const { key } = write;
      const kind = recordKind(key);
      if (kind === 'order') {
        const id = recordNumber(key) as OrderId;
        if (!before.has(id)) before.set(id, this.orders.get(id) ?? null);
      } else if (kind === 'market') markets.add(recordNumber(key) as MarketId);
      else if (kind === 'account' || kind === 'scheduledCancel') accounts.add(addressIn(key));
      this.write(write);
    }
    const orders = new Map<OrderId, OrderChange>();
    for (const [id, record] of before) {
      const change = { before: record, after: this.orders.get(id) ?? null };
      orders.set(id, change);
      for (const order of [change.before, change.after]) if (order !== null) accounts.add(order.owner);
    }
    const bookOrders = this.changedOrders(orders.values(), height);
    return { books: this.changedBooks(height), orders, bookOrders, markets, accounts };
  }

  private changedOrders(changes: Iterable<OrderChange>, height: number): Map<MarketId, BookOrdersChange> {
    const changed = new Map<MarketId, BookOrdersChange & { readonly orders: OrderChange[] }>();
    for (const change of changes) {
      const id = (change.after ?? change.before)?.marketId;
      if (id === undefined || !isOtherInBook(change)) continue;
      const known = changed.get(id);
      if (known !== undefined) known.orders.push(change);
      else {
        const book = this.books.get(id)!;
        changed.set(id, { previous: book.orderSequence, sequence: height, orders: [change] });
        book.orderSequence = height;
      }
    }
    return changed;
  }

  private changedBooks(height: number): Map<MarketId, BookChange> {
    const changes = new Map<MarketId, BookChange>();
    for (const [id, { bids, asks }] of this.touched) {
      const book = this.books.get(id)!;
      const change = { bids: changedLevels(book.bids, bids), asks: changedLevels(book.asks, asks) };
      if (change.bids.length + change.asks.length === 0) continue;
      changes.set(id, { ...change, previous: book.sequence, sequence: height });
      book.sequence = height;
    }
    return changes;
  }

  /** Takes the events of a block; blocks come in their order. */
  addEvents(height: Height, timestampMs: TimestampMs, events: Uint8Array): void {
    this.history.add(height, timestampMs, events);
  }

  private write({ key, value }: RecordWrite): void {
    switch (recordKind(key)) {
      case 'market':
        return this.writeMarket(recordNumber(key) as MarketId, value);
      case 'order':
        return this.writeOrder(recordNumber(key) as OrderId, value);
      case 'global':
        return this.margins.writeGlobal(value);
      case 'parameters':
        return this.margins.writeParameters(value);
      case 'account':
        return this.margins.writeAccount(addressIn(key), value);
      case 'agent':
        return this.agentRecords.write(key, value);
      case 'scheduledCancel':
        return this.scheduled.write(key, value);
      case 'reporter':
        return this.reporters.write(key, value);
      case 'trigger':
        return this.triggers.write(recordNumber(key) as OrderId, value);
      case 'closedOrders':
        return this.closed.write(recordNumber(key), value);
      default:
    }
  }

  private writeMarket(id: MarketId, value: Uint8Array | null): void {
    if (value === null) this.markets.delete(id);
    else this.markets.set(id, decodeMarketRecord(value));
  }

  private writeOrder(id: OrderId, value: Uint8Array | null): void {
    const before = this.orders.get(id);
    const after = value === null ? undefined : decodeOrderRecord(value);
    if (before !== undefined) this.remove(before);
    if (after !== undefined) this.insert(after);
  }

  private remove(order: OrderRecord): void {
    this.changeLevel(order, -order.remaining);
    this.orders.delete(order.orderId);
    this.books.get(order.marketId)!.orders--;
    const owned = this.byOwner.get(order.owner);
    owned?.delete(order.orderId);
    if (owned?.size === 0) this.byOwner.delete(order.owner);
  }

  private insert(order: OrderRecord): void {
    this.changeLevel(order, order.remaining);
    this.books.get(order.marketId)!.orders++;
    this.orders.set(order.orderId, order);
    const owned = this.byOwner.get(order.owner) ?? new Map<OrderId, OrderRecord>();
    owned.set(order.orderId, order);
    this.byOwner.set(order.owner, owned);
  }

  private changeLevel(order: OrderRecord, delta: bigint): void {
    let book = this.books.get(order.marketId);
    if (book === undefined) {
      book = emptyBook(this.loadedHeight);
      this.books.set(order.marketId, book);
    }
    const name = order.side === 'buy' ? 'bids' : 'asks';
    const touched = this.touched.get(order.marketId) ?? { bids: new Map(), asks: new Map() };
    this.touched.set(order.marketId, touched);
    if (!touched[name].has(order.price)) touched[name].set(order.price, book[name].sizeAt(order.price));
    book[name].change(order.price, delta);
    book.shown = null;
  }

  /** By id. */
  private sortedMarkets(): MarketRecord[] {
    return [...this.markets.values()].sort((a, b) => a.marketId - b.marketId);
  }

  async market(id: MarketId): Promise<Market | null> {
    const record = this.markets.get(id);
    if (record === undefined) return null;
    const { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals } = record;
    return { marketId, symbol, tickSize, lotSize, baseDecimals, quoteDecimals };
  }

  async allMarkets(): Promise<readonly MarketInfo[]> {
    return this.sortedMarkets().map((record) => this.margins.marketInfo(record));
  }

  async tickers(id: MarketId | null): Promise<readonly Ticker[]> {
    const ids = id === null ? this.sortedMarkets().map(({ marketId }) => marketId) : [id];
    return ids.flatMap((known) => this.ticker(known) ?? []);
  }

  async mids(): Promise<readonly MarketMid[]> {
    return this.sortedMarkets().map(({ marketId }) => ({ marketId, mid: midOf(this.top(marketId, 1)) }));
  }

  /** undefined where there is no such market. */
  ticker(marketId: MarketId): Ticker | undefined {
    const record = this.markets.get(marketId);
    if (record === undefined) return undefined;
    const market = this.margins.marketInfo(record);
    const { funding } = market;
    const { bids, asks } = this.top(marketId, 1);
    const nextMs = this.margins.fundingEndMs;
    return {
      market,
      bestBid: bids[0] ?? null,
      bestAsk: asks[0] ?? null,
      day: this.days.of(marketId),
      openInterest: this.margins.openInterest(marketId),
      ...(funding === undefined || nextMs === null ? {} : { funding: { rate: funding.change, nextMs } }),
    };
  }

  get marketCount(): number {
    return this.markets.size;
  }

  /** The markets with the lowest ids. */
  standing(countMax: number, times: BlockTimes): MarketStanding[] {
    const records = this.sortedMarkets().slice(0, countMax);
    return records.map((record) => {
      const { marketId: id } = record;
      const { bids, asks } = this.top(id, 1);
      const orders = this.books.get(id)?.orders ?? 0;
      const [bestBid, bestAsk] = [bids[0]?.price ?? null, asks[0]?.price ?? null];
      const openInterest = this.margins.openInterest(id);
      return marketStanding(record, { bestBid, bestAsk, orders, openInterest, trades: this.history.count(id) }, times);
    });
  }

  async admin(): Promise<Address | null> {
    return this.margins.admin;
  }

  async agents(account: Address): Promise<readonly AgentInfo[]> {
    return this.agentRecords.of(account);
  }

  async subAccounts(owner: Address): Promise<readonly SubAccountInfo[]> {
    return this.margins.subAccounts.of(owner);
  }

  async insolvent(limit: number): Promise<readonly InsolventAccount[]> {
    return this.margins.insolvent(limit);
  }

  async marketDebts(): Promise<readonly MarketDebt[]> {
    return this.sortedMarkets()
      .map(({ marketId, debt = 0n, profitPool = 0n }) => ({ marketId, debt, profitPool }))
      .filter(({ debt, profitPool }) => debt > 0n || profitPool > 0n);
  }

  async account(address: Address): Promise<MarginAccount> {
    return this.accountNow(address);
  }

  /** An account as it is at the head. */
  accountNow(address: Address): MarginAccount {
    const scheduledCancelMs = this.scheduled.of(address);
    const account = this.margins.account(address);
    return scheduledCancelMs === undefined ? account : { ...account, scheduledCancelMs };
  }

  async order(key: OrderKey): Promise<OrderInfo | null> {
    const open = 'orderId' in key ? this.orders.get(key.orderId) : this.openByClientId(key.owner, key.clientId);
    if (open !== undefined) return { isOpen: true, order: toOpenOrder(open) };
    const waiting =
      'orderId' in key
        ? this.triggers.get(key.orderId)
        : this.triggers.of(key.owner).find(({ clientId }) => clientId === key.clientId);
    if (waiting !== undefined) return { isOpen: true, order: waiting };
    const closed = 'orderId' in key ? this.closed.byOrderId(key.orderId) : this.closed.byOwner(key.owner, key.clientId);
    return closed === undefined ? null : { isOpen: false, order: closed };
  }

  async nextOrderId(): Promise<OrderId> {
    return this.margins.nextOrderId;
  }

  async trades(id: MarketId, limit: number): Promise<readonly MarketTrade[]> {
    return this.history.latest(id, limit);
  }

  private openByClientId(owner: Address, clientId: string): OrderRecord | undefined {
    for (const order of this.byOwner.get(owner)?.values() ?? []) if (order.clientId === clientId) return order;
    return undefined;
  }

  async orderBook(id: MarketId): Promise<OrderBook | null> {
    return this.markets.has(id) ? this.shownBook(id) : null;
  }

  /** All levels of a book; none of a market that does not exist. */
  shownBook(id: MarketId): OrderBook {
    const book = this.books.get(id);
    if (book === undefined) return { bids: [], asks: [] };
    book.shown ??= { bids: book.bids.levels(), asks: book.asks.levels() };
    return book.shown;
  }

  /** Base units that all longs hold. */
  openInterest(id: MarketId): bigint {
    return this.margins.openInterest(id);
  }

  /** Height of the newest block that changed a level of the book. */
  sequence(id: MarketId): number {
    return this.books.get(id)?.sequence ?? this.loadedHeight;
  }

  /** Height of the newest block that changed an order of the book. */
  orderSequence(id: MarketId): number {
    return this.books.get(id)?.orderSequence ?? this.loadedHeight;
  }

  /** Orders that rest in a market, by id. It looks at all that rest anywhere. */
  restingOrders(id: MarketId): OrderRecord[] {
    return [...this.orders.values()].filter(({ marketId }) => marketId === id).sort((a, b) => a.orderId - b.orderId);
  }

  top(id: MarketId, count: number): TopOfBook {
    const book = this.books.get(id);
    return { bids: book?.bids.highest(count) ?? [], asks: book?.asks.lowest(count) ?? [] };
  }

  async openOrders(owner: Address): Promise<readonly OpenOrder[]> {
    const owned = [...(this.byOwner.get(owner)?.values() ?? [])];
    return [...owned.map(toOpenOrder), ...this.triggers.of(owner)].sort((a, b) => a.orderId - b.orderId);
  }

  async orderOwner(id: OrderId): Promise<Address | null> {
    return (this.orders.get(id) ?? this.triggers.get(id))?.owner ?? null;
  }
}

const addressIn = (key: Uint8Array): Address => bytesToHex(key.subarray(1)) as Address;
