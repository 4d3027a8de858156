import {
  type CandleInterval,
  createStreams,
  type MarginAccount,
  type OrderBookState,
  type OrderUpdate,
  type Streams,
  type StreamError,
  watchBbo,
  watchCandles,
  watchFills,
  watchMargin,
  watchOrderBook,
  watchOrders,
  watchTicker,
  watchTrades,
} from '@prime/sdk';
import { type Desk, marketsOf, unitsOf } from '../desk.ts';
import { isPassing, toCcxtError } from '../errors.ts';
import type { CcxtMarket, Structure } from '../library.ts';
import { parseMarginBalance } from '../parse/account.ts';
import { parseOrderUpdate } from '../parse/order.ts';
import { parseBest, parseTicker } from '../parse/ticker.ts';
import { parseFill, parsePublicTrade, placeOfFill, tradeContext } from '../parse/trade.ts';
import { parsePositions } from '../rest/account.ts';
import { type CandlePrice, type Ohlcv, parseCandle } from '../rest/candles.ts';
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

/** What is told of several markets, by symbol. */
type BySymbol = Readonly<Record<string, Structure>>;

/** Watches one of several markets, and tells what it does. */
type WatchMarket = (
  streams: Streams,
  market: {
    readonly market: CcxtMarket;
    readonly tell: (what: Structure) => void;
    readonly onError: (error: StreamError) => void;
  },
) => Unwatch;

/** Which candles are watched. */
export interface WatchedCandles {
  readonly market: CcxtMarket;
  readonly interval: CandleInterval;
  readonly price: CandlePrice;
}

/** Of each candle the last word, the newest ones. */
const mergeCandles = (older: readonly Ohlcv[], newer: readonly Ohlcv[]): readonly Ohlcv[] =>
  [...older.filter(([beginMs]) => beginMs! < newer[0]![0]!), ...newer].slice(-unreadMax);

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
        onTrades: (trades) => {
          const context = tradeContext(this.#desk, market);
          topic.put(trades.map((trade) => parsePublicTrade(context, trade, trade.timeMs)));
        },
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
      const { orderId, marketId, status, timeMs } = update;
      // What did not rest when the stream began, and is told of for the first time, was placed in this block.
      const born = (orderId === null ? undefined : births.get(orderId)) ?? block;
      const placed = born === block ? timeMs : await times.timeOf(born);
      // Behind what may fail and is done again then.
      if (orderId !== null && status === 'open') births.set(orderId, born);
      else if (orderId !== null) births.delete(orderId);
      return parseOrderUpdate({ exchange, market: markets.get(marketId)! }, update, { placed, updated: timeMs });
    });
    return Promise.all(described);
  }

  myTrades(): Promise<readonly Structure[]> {
    return this.#next('myTrades', append, (topic) =>
      watchFills(this.#connection(), {
        address: this.#desk.address(),
        onFills: (fills) =>
          this.#tell(topic, async () => {
            const markets = await marketsOf(this.#desk, fills);
            return fills.map((fill) =>
              parseFill(tradeContext(this.#desk, markets.get(fill.marketId)!), fill, placeOfFill(fill)),
            );
          }),
        ...this.#errorsOf(topic),
      }),
    );
  }

  /** The balance now, and then after each block that touched the account; at most once a second where only prices moved. */
  balance(): Promise<Structure> {
    return this.#margin('balance', (account) => parseMarginBalance(this.#desk.exchange, account));
  }

  /** All positions, whenever the balance is told. One that was closed is not among them any more. */
  positions(): Promise<readonly Structure[]> {
    return this.#margin('positions', (account) => parsePositions(this.#desk, account));
  }

  /** Tickers of markets that changed since the last call, by symbol. */
  tickers(markets: readonly CcxtMarket[]): Promise<BySymbol> {
    return this.#byMarket(tickersKey(markets), markets, (streams, { market, tell, onError }) =>
      watchTicker(streams, {
        market: unitsOf(market),
        onTicker: (ticker) => tell(parseTicker(this.#desk.exchange, market, ticker, ticker.timeMs)),
        onError,
      }),
    );
  }

  /** Best bids and asks of markets that changed since the last call, by symbol. */
  bidsAsks(markets: readonly CcxtMarket[]): Promise<BySymbol> {
    return this.#byMarket(bidsAsksKey(markets), markets, (streams, { market, tell, onError }) =>
      watchBbo(streams, {
        market: unitsOf(market),
        onBbo: (best) => tell(parseBest(this.#desk.exchange, market, best, best.timeMs)),
        onError,
      }),
    );
  }

  /** Candles that grew or began since the last call, oldest first. */
  candles({ market, interval, price }: WatchedCandles): Promise<readonly Ohlcv[]> {
    return this.#next<readonly Ohlcv[]>(candlesKey({ market, interval, price }), mergeCandles, (topic) =>
      watchCandles(this.#connection(), {
        market: unitsOf(market),
        interval,
        onCandle: (candle) => {
          const row = parseCandle(this.#desk, market, candle, price);
          if (row !== null) topic.put([row]);
        },
        ...this.#errorsOf(topic),
      }),
    );
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

  #margin<value>(key: string, describe: (account: MarginAccount) => value | Promise<value>): Promise<value> {
    return this.#next<value>(key, replace, (topic) =>
      watchMargin(this.#connection(), {
        address: this.#desk.address(),
        onMargin: (account) => this.#tell(topic, async () => describe(account)),
        ...this.#errorsOf(topic),
      }),
    );
  }

  #byMarket(key: string, markets: readonly CcxtMarket[], watch: WatchMarket): Promise<BySymbol> {
    const merge = (older: BySymbol, newer: BySymbol): BySymbol => ({ ...older, ...newer });
    return this.#next(key, merge, (topic) => {
      const tell = (market: CcxtMarket, what: Structure): void => topic.put({ [market.symbol]: what });
      const stops = markets.map((market) =>
        watch(this.#connection(), { market, tell: (what) => tell(market, what), ...this.#errorsOf(topic) }),
      );
      return () => {
        for (const stop of stops) stop();
      };
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

const symbolsOf = (markets: readonly CcxtMarket[]): string =>
  markets
    .map(({ symbol }) => symbol)
    .toSorted()
    .join(' ');
/** Key of the tickers of some markets among the messages that ccxt waits for. */
export const tickersKey = (markets: readonly CcxtMarket[]): string => `tickers ${symbolsOf(markets)}`;
/** Key of the best prices of some markets among the messages that ccxt waits for. */
export const bidsAsksKey = (markets: readonly CcxtMarket[]): string => `bidsAsks ${symbolsOf(markets)}`;
/** Key of a market's candles among the messages that ccxt waits for. */
export const candlesKey = ({ market, interval, price }: WatchedCandles): string =>
  `candles ${market.symbol} ${interval} ${price}`;

/** A book of ccxt, with `limit()`: `nonce` is the block that changed it last. */
export function toCcxtBook(desk: Desk, market: CcxtMarket, book: OrderBookState, limit: number | undefined): Structure {
  const { bids, asks } = parseLevels(desk, market, book, limit);
  const { sequence, checksum, blockHash, blockNumber, timeMs } = book;
  return desk.exchange.orderBook({
    symbol: market.symbol,
    bids,
    asks,
    nonce: sequence,
    timestamp: timeMs,
    datetime: desk.exchange.iso8601(timeMs),
    checksum,
    info: { blockNumber: blockNumber.toString(), blockHash },
  });
}
