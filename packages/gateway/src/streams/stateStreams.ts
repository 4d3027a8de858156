import type { Address, MarketId } from '@prime/primitives';
import {
  accountMessage,
  bboMessage,
  type BestLevels,
  type BlockRecord,
  bookMessage,
  bookOrdersMessage,
  formatAccount,
  formatTicker,
  type PriceLevel,
  tickerMessage,
  type Topic,
} from '@prime/rpc';
import type { OrderBookChanges } from '../readModel/books/bookChanges.ts';
import { dayStart } from '../readModel/candles.ts';
import type { OrderBookModel } from '../readModel/orderBooks.ts';
import { bookChecksum, checksumDepth, ordersChecksum } from './bookChecksum.ts';
import { BookOrders } from './bookOrders.ts';

/**
 * What is told to those who follow how something stands. Whoever begins, or was too slow, gets all of it as of the head; the others get what a
 * block made of it. What is told of a block is made when the first one reads it.
 */
export interface StateStream {
  /** Takes a block that the read models show already. @returns what is told of it; null where nothing is */
  onBlock(block: BlockRecord, changes: OrderBookChanges): (() => unknown) | null;
  /** All of it, in one message or in several. @param head the newest block */
  snapshot(head: BlockRecord): readonly unknown[];
}

/** Entries of a book that one message of a snapshot has at most: some 30 KB, so that what is unread grows by little at a time. */
const partEntriesMax = 500;

/** Both sides in parts, each ascending: the bids first. One part where there is nothing. */
function partsOf<entry>(
  { bids, asks }: { readonly bids: readonly entry[]; readonly asks: readonly entry[] },
  entriesMax: number,
): { readonly bids: readonly entry[]; readonly asks: readonly entry[] }[] {
  const count = Math.max(1, Math.ceil((bids.length + asks.length) / entriesMax));
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index * entriesMax, (index + 1) * entriesMax];
    const ofAsks = (at: number): number => Math.max(0, at - bids.length);
    return { bids: bids.slice(from, to), asks: asks.slice(ofAsks(from), ofAsks(to)) };
  });
}

const stateKinds = ['orderBook', 'bookOrders', 'bbo', 'ticker', 'account'] as const;
/** Topics of which the newest message is worth all those before. */
export type StateTopic = Extract<Topic, { readonly kind: (typeof stateKinds)[number] }>;
/** Whether a topic tells how something stands. */
export const isStateTopic = (topic: Topic): topic is StateTopic =>
  (stateKinds as readonly string[]).includes(topic.kind);

/** @param head the newest block, which the model shows @param entriesMax of a message of a snapshot */
export function stateStream(
  topic: StateTopic,
  books: OrderBookModel,
  head: BlockRecord,
  entriesMax = partEntriesMax,
): StateStream {
  switch (topic.kind) {
    case 'orderBook':
      return new BookStream(books, topic.marketId, entriesMax);
    case 'bookOrders':
      return new BookOrdersStream(books, topic.marketId, entriesMax);
    case 'bbo':
      return new BboStream(books, topic.marketId);
    case 'ticker':
      return new TickerStream(books, topic.marketId, head);
    case 'account':
      return new AccountStream(books, topic.account, head);
  }
}

class BookStream implements StateStream {
  readonly #books: OrderBookModel;
  readonly #marketId: MarketId;

  readonly #entriesMax: number;

  constructor(books: OrderBookModel, marketId: MarketId, entriesMax: number) {
    this.#books = books;
    this.#marketId = marketId;
    this.#entriesMax = entriesMax;
  }

  get #checksum() {
    return bookChecksum(this.#books.top(this.#marketId, checksumDepth));
  }

  onBlock(head: BlockRecord, { books }: OrderBookChanges): (() => unknown) | null {
    const marketId = this.#marketId;
    const change = books.get(marketId);
    return change === undefined
      ? null
      : () => bookMessage({ type: 'update', marketId, head, checksum: this.#checksum, ...change });
  }

  snapshot(head: BlockRecord): readonly unknown[] {
    const marketId = this.#marketId;
    const sequence = this.#books.sequence(marketId);
    const checksum = this.#checksum;
    const parts = partsOf(this.#books.shownBook(marketId), this.#entriesMax);
    return parts.map((book, index) => {
      const part = { at: index + 1, count: parts.length };
      return bookMessage({ type: 'snapshot', marketId, head, sequence, previous: null, part, checksum, ...book });
    });
  }
}

class BookOrdersStream implements StateStream {
  readonly #books: OrderBookModel;
  readonly #marketId: MarketId;
  readonly #orders: BookOrders;
  readonly #entriesMax: number;

  constructor(books: OrderBookModel, marketId: MarketId, entriesMax: number) {
    this.#entriesMax = entriesMax;
    this.#books = books;
    this.#marketId = marketId;
    this.#orders = new BookOrders(books.restingOrders(marketId));
  }

  get #checksum() {
    return ordersChecksum(this.#orders.best(checksumDepth));
  }

  onBlock(head: BlockRecord, { bookOrders }: OrderBookChanges): (() => unknown) | null {
    const marketId = this.#marketId;
    const change = bookOrders.get(marketId);
    if (change === undefined) return null;
    const { previous, sequence } = change;
    const told = this.#orders.apply(change.orders);
    return () =>
      bookOrdersMessage({ type: 'update', marketId, head, sequence, previous, checksum: this.#checksum, ...told });
  }

  snapshot(head: BlockRecord): readonly unknown[] {
    const marketId = this.#marketId;
    const sequence = this.#books.orderSequence(marketId);
    const checksum = this.#checksum;
    const parts = partsOf(this.#orders.all(), this.#entriesMax);
    return parts.map((orders, index) => {
      const part = { at: index + 1, count: parts.length };
      return bookOrdersMessage({
        type: 'snapshot',
        marketId,
        head,
        sequence,
        previous: null,
        part,
        checksum,
        ...orders,
      });
    });
  }
}

const isSameLevel = (a: PriceLevel | null, b: PriceLevel | null): boolean =>
  a?.price === b?.price && a?.size === b?.size;

class BboStream implements StateStream {
  readonly #books: OrderBookModel;
  readonly #marketId: MarketId;
  #told: BestLevels;

  constructor(books: OrderBookModel, marketId: MarketId) {
    this.#books = books;
    this.#marketId = marketId;
    this.#told = this.#best();
  }

  #best(): BestLevels {
    const { bids, asks } = this.#books.top(this.#marketId, 1);
    return { bid: bids[0] ?? null, ask: asks[0] ?? null };
  }

  onBlock(block: BlockRecord, { books }: OrderBookChanges): (() => unknown) | null {
    if (!books.has(this.#marketId)) return null;
    const best = this.#best();
    if (isSameLevel(best.bid, this.#told.bid) && isSameLevel(best.ask, this.#told.ask)) return null;
    this.#told = best;
    return () => bboMessage(block, this.#marketId, best);
  }

  snapshot(head: BlockRecord): readonly unknown[] {
    return [bboMessage(head, this.#marketId, this.#best())];
  }
}

class TickerStream implements StateStream {
  readonly #books: OrderBookModel;
  readonly #marketId: MarketId;
  #openInterest = 0n;
  #dayStartMs = 0;
  /** Without the block, so that it is the same as long as nothing changes. */
  #told: string;

  constructor(books: OrderBookModel, marketId: MarketId, head: BlockRecord) {
    this.#books = books;
    this.#marketId = marketId;
    this.#mayDiffer(head);
    this.#told = this.#text();
  }

  #text(): string {
    return JSON.stringify(formatTicker(this.#books.ticker(this.#marketId)!));
  }

  /** Open interest and the past day change without the market's record. */
  #mayDiffer({ block: { header } }: BlockRecord): boolean {
    const openInterest = this.#books.openInterest(this.#marketId);
    const dayStartMs = dayStart(header.timestampMs);
    const differs = openInterest !== this.#openInterest || dayStartMs !== this.#dayStartMs;
    this.#openInterest = openInterest;
    this.#dayStartMs = dayStartMs;
    return differs;
  }

  onBlock(block: BlockRecord, { books, markets }: OrderBookChanges): (() => unknown) | null {
    const id = this.#marketId;
    if (!this.#mayDiffer(block) && !books.has(id) && !markets.has(id)) return null;
    const text = this.#text();
    if (text === this.#told) return null;
    this.#told = text;
    return () => this.#message(block);
  }

  snapshot(head: BlockRecord): readonly unknown[] {
    return [this.#message(head)];
  }

  #message(head: BlockRecord): unknown {
    return tickerMessage(head, this.#books.ticker(this.#marketId)!);
  }
}

/** Between two messages of an account that nothing but prices changed, ms of block time. */
const priceMovesMs = 1000;

class AccountStream implements StateStream {
  readonly #books: OrderBookModel;
  readonly #account: Address;
  /** Prices moved since the account was looked at. */
  #moved = false;
  /** Block time when it was. */
  #lookedAtMs: number;
  /** Without the block, so that it is the same as long as nothing changes. */
  #told: string;

  constructor(books: OrderBookModel, account: Address, head: BlockRecord) {
    this.#books = books;
    this.#account = account;
    this.#lookedAtMs = head.block.header.timestampMs;
    this.#told = this.#text();
  }

  #text(): string {
    return JSON.stringify(formatAccount(this.#books.accountNow(this.#account)));
  }

  onBlock(block: BlockRecord, { accounts, markets }: OrderBookChanges): (() => unknown) | null {
    const { timestampMs } = block.block.header;
    const isTouched = accounts.has(this.#account);
    this.#moved ||= markets.size > 0;
    if (!isTouched && (!this.#moved || timestampMs - this.#lookedAtMs < priceMovesMs)) return null;
    this.#moved = false;
    this.#lookedAtMs = timestampMs;
    const text = this.#text();
    if (!isTouched && text === this.#told) return null;
    this.#told = text;
    return () => this.#message(block);
  }

  snapshot(head: BlockRecord): readonly unknown[] {
    return [this.#message(head)];
  }

  #message(head: BlockRecord): unknown {
    return accountMessage(head, this.#books.accountNow(this.#account));
  }
}
