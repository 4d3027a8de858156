export { allFillsFromEvents, fillsFromEvents } from './account/fills.ts';
export {
  compareLedgers,
  createLedger,
  type Followed,
  type Ledger,
  type LedgerStep,
  stepLedger,
} from './account/ledger.ts';
export {
  type AccountChange,
  type AccountStatus,
  type AccountView,
  createLocalAccountState,
  type LocalAccountState,
  type LocalAccountStateParameters,
} from './account/state.ts';
export { type StartWatcher, toAsyncIterable } from './asyncIterable.ts';
export { bookChecksum, ordersChecksum } from './book/checksum.ts';
export type { StreamEnvironment, StreamSocket } from './connection/environment.ts';
export type { SessionStatus } from './connection/session.ts';
export type {
  DomainEventOf,
  DomainEventData,
  DomainEventFilter,
  DomainEventKind,
  EventDomain,
} from './domainEvents.ts';
export { isStreamError, StreamError, type StreamErrorCode, type StreamErrorDetail } from './errors.ts';
export { type PrimeStreamActions, primeStreamActions } from './streamActions.ts';
export { createStreams, type Streams, type StreamsClient, type StreamsOptions } from './streams.ts';
export type {
  AccountDifference,
  AccountFill,
  BestPrices,
  BlockPosition,
  BookChange,
  BookOrder,
  BookOrdersChange,
  BookOrdersState,
  Fill,
  FundingPayment,
  HeldPosition,
  LostGap,
  OrderBookState,
  OrderUpdate,
  Overflow,
  StreamedCandle,
  StreamedMargin,
  StreamedTicker,
  StreamedTrade,
  StreamStatus,
} from './types.ts';
export type { KeptUpdate } from './feed/keptWatcher.ts';
export type { WatchParameters } from './feed/subscriber.ts';
export type { FeedParameters, FromBlock, Unwatch } from './watch.ts';
export { watchAccount, type WatchAccountParameters } from './watchAccount.ts';
export { watchBbo, type WatchBboParameters } from './states/watchBbo.ts';
export { watchBlocks, type WatchBlocksParameters } from './watchBlocks.ts';
export { type BookOrdersUpdate, watchBookOrders, type WatchBookOrdersParameters } from './states/watchBookOrders.ts';
export { watchCandles, type WatchCandlesParameters } from './states/watchCandles.ts';
export { watchDomainEvents, type WatchDomainEventsParameters } from './watchDomainEvents.ts';
export { watchFills, type WatchFillsParameters } from './watchFills.ts';
export { watchMargin, type WatchMarginParameters } from './states/watchMargin.ts';
export { type BookUpdate, watchOrderBook, type WatchOrderBookParameters } from './watchOrderBook.ts';
export { watchOrders, type WatchOrdersParameters } from './watchOrders.ts';
export { watchTicker, type WatchTickerParameters } from './states/watchTicker.ts';
export { watchTrades, type WatchTradesParameters } from './watchTrades.ts';
