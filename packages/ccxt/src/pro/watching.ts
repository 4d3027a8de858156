import {
  createStreams,
  type OrderBookState,
  type OrderUpdate,
  type Streams,
  type StreamError,
  watchDomainEvents,
  watchFills,
  watchOrderBook,
  watchOrders,
  watchTrades,
} from '@prime/sdk';
import { type Desk, marketOfId, marketsOf, unitsOf } from '../desk.ts';
import { isPassing, toCcxtError } from '../errors.ts';
import type { CcxtMarket, Structure } from '../library.ts';
import { parseOrderUpdate } from '../parse/order.ts';
import { parseFill, parsePublicTrade, tradeContext } from '../parse/trade.ts';
import { fetchBalance, fetchPositions } from '../rest/account.ts';
import { parseLevels } from '../rest/markets.ts';
import { Topic } from './topic.ts';

type Unwatch = () => void;
interface Watched<value> {
  readonly topic: Topic<value>;
  readonly stop: Unwatch;
}

const pauseFirstMs = 100;
const pauseMaxMs = 5_000;

/** Items that a caller may miss between two calls before the oldest go. */
const unreadMax = 10_000;
const append = (older: readonly Structure[], newer: readonly Structure[]): readonly Structure[] =>
  [...older, ...newer].slice(-unreadMax);
const replace = <value>(_older: value, newer: value): value => newer;

/** The streams of one exchange instance: one connection, which all of its watch methods share. */
export class Watching {
  readonly #desk: Desk;
  readonly #watched = new Map<string, Watched<unknown>>();
  #streams: Streams | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Books have been compared with the node's checksum: one that differs is never told, but asked for anew. */
  orderBook(market: CcxtMarket): Promise<OrderBookState> {
    const { marketId } = unitsOf(market);
    return this.#next<OrderBookState>(bookKey(market), replace, (topic) =>
      watchOrderBook(this.#connection(), {
        market: marketId,
        onOrderBook: (book) => topic.put(book),
        ...this.#errorsOf(topic),
      }),
    );
  }

  trades(market: CcxtMarket): Promise<readonly Structure[]> {
    const { marketId } = unitsOf(market);
    return this.#next(tradesKey(market), append, (topic) =>
      watchTrades(this.#connection(), {
        market: marketId,
        onTrades: (trades, { blockNumber }) =>
          this.#tell(topic, async () => {
            const time = await this.#desk.times.timeOf(blockNumber);
            const context = tradeContext(this.#desk, market);
            return trades.map((trade) => parsePublicTrade(context, trade, time));
          }),
        ...this.#errorsOf(topic),
      }),
    );
  }

  orders(): Promise<readonly Structure[]> {
    return this.#next('orders', append, (topic) => {
      const address = this.#desk.address();
      let births: Births | null = null;
      return watchOrders(this.#connection(), {
        address,
        onOrders: (updates, { blockNumber }) =>
          this.#tell(topic, async () => {
            births ??= await readBirths(this.#desk, address);
            return this.#describe(updates, blockNumber, births);
          }),
        ...this.#errorsOf(topic),
      });
    });
  }

  async #describe(updates: readonly OrderUpdate[], block: bigint, births: Births): Promise<readonly Structure[]> {
    const { exchange, times } = this.#desk;
    const markets = await marketsOf(this.#desk, updates);
    const described = updates.map(async (update) => {
      const { orderId, marketId, status } = update;
      // What did not rest when the stream began, and is told of for the first time, was placed in this block.
      const born = (orderId === null ? undefined : births.get(orderId)) ?? block;
      const [placed, updated] = [await times.timeOf(born), await times.timeOf(block)];
      // Behind what may fail and is done again then.
      if (orderId !== null && status === 'open') births.set(orderId, born);
      else if (orderId !== null) births.delete(orderId);
      return parseOrderUpdate({ exchange, market: markets.get(marketId)! }, update, { placed, updated });
    });
    return Promise.all(described);
  }

  myTrades(): Promise<readonly Structure[]> {
    return this.#next('myTrades', append, (topic) =>
      watchFills(this.#connection(), {
        address: this.#desk.address(),
        onFills: (fills, { blockNumber }) =>
          this.#tell(topic, async () => {
            const time = await this.#desk.times.timeOf(blockNumber);
            const parsed = fills.map(async (fill, index) => {
              const market = await marketOfId(this.#desk, fill.marketId);
              return parseFill(tradeContext(this.#desk, market), { ...fill, index }, time);
            });
            return Promise.all(parsed);
          }),
        ...this.#errorsOf(topic),
      }),
    );
  }

  /** The balance now, and then after each block that touched the account. */
  balance(): Promise<Structure> {
    return this.#account('balance', (desk) => fetchBalance(desk));
  }

  /** All positions now, and then after each block that touched the account. One that was closed is not among them any more. */
  positions(): Promise<readonly Structure[]> {
    return this.#account('positions', (desk) => fetchPositions(desk));
  }

  unwatch(key: string): void {
    this.#watched.get(key)?.stop();
    this.#watched.get(key)?.topic.end(this.#closed());
    this.#watched.delete(key);
  }

  close(): void {
    for (const key of this.#watched.keys()) this.unwatch(key);
    this.#streams?.close();
    this.#streams = null;
  }

  /** Reads of the account while events name it. Margin and marks are the node's to tell; events only say when. */
  #account<value>(key: string, read: (desk: Desk) => Promise<value>): Promise<value> {
    return this.#next<value>(key, replace, (topic) => {
      const tell = (): Promise<void> => this.#tell(topic, () => read(this.#desk));
      let wasLive = false;
      return watchDomainEvents(this.#connection(), {
        domain: 'orders',
        address: this.#desk.address(),
        onEvents: tell,
        ...this.#errorsOf(topic),
        // What there is at the beginning is told once the stream is sure to tell each change after it.
        onStatus: (status) => {
          if (status !== 'live' || wasLive) return;
          wasLive = true;
          tell().catch((thrown: unknown) => this.#end(topic, thrown));
        },
      });
    });
  }

  /** Tells what takes further questions to say. While no node can be asked the stream waits: giving up would lose what it told. */
  async #tell<value>(topic: Topic<value>, make: () => Promise<value>): Promise<void> {
    for (let pauseMs = pauseFirstMs; ; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
      try {
        return topic.put(await make());
      } catch (thrown) {
        if (topic.isEnded || !isPassing(this.#desk.library, thrown)) throw thrown;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  #next<value>(
    key: string,
    merge: (older: value, newer: value) => value,
    start: (topic: Topic<value>) => Unwatch,
  ): Promise<value> {
    const known = this.#watched.get(key) as Watched<value> | undefined;
    if (known !== undefined && !known.topic.isEnded) return known.topic.next();
    const topic = new Topic(merge);
    // Asked for before it starts, so that what comes at once is for this caller.
    const next = topic.next();
    this.#watched.set(key, { topic, stop: start(topic) } as unknown as Watched<unknown>);
    return next;
  }

  /** Errors after which a stream goes on are its own affair: it connects again and fetches what it missed. */
  #errorsOf(topic: Pick<Topic<never>, 'end'>) {
    return {
      onError: (error: StreamError): void => {
        if (error.isFatal || error.code === 'STREAM_GAP_LOST' || error.code === 'STREAM_HANDLER_FAILED')
          this.#end(topic, error.code === 'STREAM_HANDLER_FAILED' ? error.cause : error);
      },
    };
  }

  #end(topic: Pick<Topic<never>, 'end'>, thrown: unknown): void {
    topic.end(toCcxtError(this.#desk.library, this.#desk.exchange.id, thrown));
    for (const [key, watched] of this.#watched)
      if ((watched.topic as unknown) === topic) {
        watched.stop();
        this.#watched.delete(key);
      }
  }

  #closed(): Error {
    return new this.#desk.library.ExchangeClosedByUser(`${this.#desk.exchange.id} closed the stream`);
  }

  #connection(): Streams {
    this.#streams ??= createStreams({
      ...(this.#desk.exchange.options['streams'] as object),
      urls: this.#desk.streamUrls,
    });
    return this.#streams;
  }
}

/** Blocks in which resting orders were placed, by id. */
type Births = Map<number, bigint>;

async function readBirths(desk: Desk, address: `0x${string}`): Promise<Births> {
  const open = await desk.reader.getOpenOrders({ address });
  return new Map(open.map(({ orderId, createdBlock }) => [orderId, createdBlock]));
}

/** Key of a market's book among the messages that ccxt waits for. */
export const bookKey = ({ symbol }: CcxtMarket): string => `orderBook ${symbol}`;
/** Key of a market's trades among the messages that ccxt waits for. */
export const tradesKey = ({ symbol }: CcxtMarket): string => `trades ${symbol}`;

/** A book of ccxt, with `limit()`: `nonce` is the block that changed it last. */
export function toCcxtBook(desk: Desk, market: CcxtMarket, book: OrderBookState, limit: number | undefined): Structure {
  const { bids, asks } = parseLevels(desk, market, book, limit);
  const { sequence, checksum, blockHash, blockNumber } = book;
  return desk.exchange.orderBook({
    symbol: market.symbol,
    bids,
    asks,
    nonce: sequence,
    timestamp: undefined,
    datetime: undefined,
    checksum,
    info: { blockNumber: blockNumber.toString(), blockHash },
  });
}
