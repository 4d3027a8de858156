import {
  decodeMarketRecord,
  decodeOrderRecord,
  type MarketRecord,
  type OrderRecord,
  recordKind,
  recordNumber,
  type RecordWrite,
} from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import type { Market, OpenOrder, OrderBook, OrderBooks } from '@prime/rpc';
import { BookSide } from './bookSide.ts';

interface MarketBook {
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** The last answer; dropped when the book changes. */
  shown: OrderBook | null;
}

/**
 * Markets, resting orders and aggregated levels of the whole order book domain, kept by the records that each block wrote. A
 * question about a book never reaches the thread that matches orders.
 */
export class OrderBookModel implements OrderBooks {
  private readonly markets = new Map<MarketId, MarketRecord>();
  private readonly books = new Map<MarketId, MarketBook>();
  private readonly orders = new Map<OrderId, OrderRecord>();
  private readonly byOwner = new Map<Address, Map<OrderId, OrderRecord>>();

  /** Loads all records of the domain. @throws CodecError when one is malformed */
  load(records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): void {
    for (const [key, value] of records) this.write({ key, value });
  }

  /** Applies what a block wrote. @throws CodecError when a record is malformed */
  apply(writes: readonly RecordWrite[]): void {
    for (const write of writes) this.write(write);
  }

  private write({ key, value }: RecordWrite): void {
    const kind = recordKind(key);
    if (kind === 'market') this.writeMarket(recordNumber(key) as MarketId, value);
    else if (kind === 'order') this.writeOrder(recordNumber(key) as OrderId, value);
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
    const owned = this.byOwner.get(order.owner);
    owned?.delete(order.orderId);
    if (owned?.size === 0) this.byOwner.delete(order.owner);
  }

  private insert(order: OrderRecord): void {
    this.changeLevel(order, order.remaining);
    this.orders.set(order.orderId, order);
    const owned = this.byOwner.get(order.owner) ?? new Map<OrderId, OrderRecord>();
    owned.set(order.orderId, order);
    this.byOwner.set(order.owner, owned);
  }

  private changeLevel(order: OrderRecord, delta: bigint): void {
    let book = this.books.get(order.marketId);
    if (book === undefined) {
      book = { bids: new BookSide(), asks: new BookSide(), shown: null };
      this.books.set(order.marketId, book);
    }
    (order.side === 'buy' ? book.bids : book.asks).change(order.price, delta);
    book.shown = null;
  }

  async market(id: MarketId): Promise<Market | null> {
    const record = this.markets.get(id);
    if (record === undefined) return null;
    const { marketId, symbol, tickSize, lotSize } = record;
    return { marketId, symbol, tickSize, lotSize };
  }

  async orderBook(id: MarketId): Promise<OrderBook | null> {
    if (!this.markets.has(id)) return null;
    const book = this.books.get(id);
    if (book === undefined) return { bids: [], asks: [] };
    book.shown ??= { bids: book.bids.levels(), asks: book.asks.levels() };
    return book.shown;
  }

  async openOrders(owner: Address): Promise<readonly OpenOrder[]> {
    const owned = [...(this.byOwner.get(owner)?.values() ?? [])];
    return owned.sort((a, b) => a.orderId - b.orderId).map(toOpenOrder);
  }

  async orderOwner(id: OrderId): Promise<Address | null> {
    return this.orders.get(id)?.owner ?? null;
  }
}

const toOpenOrder = (record: OrderRecord): OpenOrder => ({
  orderId: record.orderId,
  marketId: record.marketId,
  owner: record.owner,
  side: record.side,
  price: record.price,
  size: record.size,
  remaining: record.remaining,
  tif: record.tif,
  clientId: record.clientId,
  expiresAt: record.expiresAt,
  createdHeight: record.createdBlock as OpenOrder['createdHeight'],
});
