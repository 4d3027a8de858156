import { createLocalAccountState, type LocalAccountState, type LocalAccountStateParameters } from './account/state.ts';
import type { DomainEventKind } from './domainEvents.ts';
import type { Streams, StreamsClient } from './streams.ts';
import type { Unwatch } from './watch.ts';
import { watchAccount, type WatchAccountParameters } from './watchAccount.ts';
import { watchBbo, type WatchBboParameters } from './states/watchBbo.ts';
import { watchBlocks, type WatchBlocksParameters } from './watchBlocks.ts';
import { watchBookOrders, type WatchBookOrdersParameters } from './states/watchBookOrders.ts';
import { watchCandles, type WatchCandlesParameters } from './states/watchCandles.ts';
import { watchDomainEvents, type WatchDomainEventsParameters } from './watchDomainEvents.ts';
import { watchFills, type WatchFillsParameters } from './watchFills.ts';
import { watchMargin, type WatchMarginParameters } from './states/watchMargin.ts';
import { watchOrderBook, type WatchOrderBookParameters } from './watchOrderBook.ts';
import { watchOrders, type WatchOrdersParameters } from './watchOrders.ts';
import { watchTicker, type WatchTickerParameters } from './states/watchTicker.ts';
import { watchTrades, type WatchTradesParameters } from './watchTrades.ts';

// An alias and not an interface: viem asks for something that has an index signature.
/** Subscriptions, as methods of a client. What they return ends them. */
export type PrimeStreamActions = {
  readonly watchOrderBook: (parameters: WatchOrderBookParameters) => Unwatch;
  readonly watchBookOrders: (parameters: WatchBookOrdersParameters) => Unwatch;
  readonly watchBbo: (parameters: WatchBboParameters) => Unwatch;
  readonly watchTicker: (parameters: WatchTickerParameters) => Unwatch;
  readonly watchCandles: (parameters: WatchCandlesParameters) => Unwatch;
  readonly watchMargin: (parameters: WatchMarginParameters) => Unwatch;
  readonly watchTrades: (parameters: WatchTradesParameters) => Unwatch;
  readonly watchOrders: (parameters: WatchOrdersParameters) => Unwatch;
  readonly watchFills: (parameters: WatchFillsParameters) => Unwatch;
  readonly watchAccount: (parameters: WatchAccountParameters) => Unwatch;
  readonly watchBlocks: (parameters: WatchBlocksParameters) => Unwatch;
  readonly watchDomainEvents: <kind extends DomainEventKind = DomainEventKind>(
    parameters: WatchDomainEventsParameters<kind>,
  ) => Unwatch;
  readonly createLocalAccountState: (parameters: LocalAccountStateParameters) => LocalAccountState;
};

/**
 * Adds the watchers to any client: `createPublicClient({…}).extend(primeStreamActions())`.
 *
 * @param streams over several nodes; without it the URLs of the client's transport are watched
 */
export const primeStreamActions =
  (streams?: Streams) =>
  (client: StreamsClient): PrimeStreamActions => {
    const source = streams ?? client;
    return {
      watchOrderBook: (parameters) => watchOrderBook(source, parameters),
      watchBookOrders: (parameters) => watchBookOrders(source, parameters),
      watchBbo: (parameters) => watchBbo(source, parameters),
      watchTicker: (parameters) => watchTicker(source, parameters),
      watchCandles: (parameters) => watchCandles(source, parameters),
      watchMargin: (parameters) => watchMargin(source, parameters),
      watchTrades: (parameters) => watchTrades(source, parameters),
      watchOrders: (parameters) => watchOrders(source, parameters),
      watchFills: (parameters) => watchFills(source, parameters),
      watchAccount: (parameters) => watchAccount(source, parameters),
      watchBlocks: (parameters) => watchBlocks(source, parameters),
      watchDomainEvents: (parameters) => watchDomainEvents(source, parameters),
      createLocalAccountState: (parameters) => createLocalAccountState(source, parameters),
    };
  };
