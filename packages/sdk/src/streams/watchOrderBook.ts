import { marketIdOf } from '../decode/references.ts';
import type { MarketReference } from '../types/primitives.ts';
import { stepBook } from './book/keeper.ts';
import { inParts } from './book/parts.ts';
import { type KeptUpdate, watchKept } from './feed/keptWatcher.ts';
import type { WatchParameters } from './feed/subscriber.ts';
import { sessionOf, type StreamsClient } from './streams.ts';
import type { BookChange, OrderBookState } from './types.ts';
import type { Unwatch } from './watch.ts';
import { type BookMessage, readBookMessage } from './wire/states.ts';

/** How a book came out of the one that was shown before: which levels changed, and how many books a slow reader was not shown. */
export interface BookUpdate extends KeptUpdate<BookChange> {}

/** Which book is kept, and who is shown it. */
export interface WatchOrderBookParameters extends WatchParameters {
  readonly market: MarketReference;
  /** The whole book. While a promise of it is not settled newer books replace each other, and the newest is shown then. */
  readonly onOrderBook: (book: OrderBookState, update: BookUpdate) => unknown;
}

/**
 * Shows the order book of a market after each block that changed it. A book that fails its checksum, or misses an update, is never
 * shown: the stream is subscribed to again. While `onStatus` tells `syncing` or `interrupted` the newest book that was shown may be old.
 */
export function watchOrderBook(client: StreamsClient, parameters: WatchOrderBookParameters): Unwatch {
  const marketId = marketIdOf(parameters.market);
  const step = inParts((kept: OrderBookState | null, message: BookMessage) => stepBook(kept, message, marketId));
  const source = {
    kind: 'orderBook',
    options: { market_id: marketId },
    name: 'a book',
    step: (kept: OrderBookState | null, result: unknown) => step(kept, readBookMessage(result)),
  };
  return watchKept(sessionOf(client), source, parameters, parameters.onOrderBook);
}
