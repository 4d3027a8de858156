import { marketIdOf } from '../../decode/references.ts';
import type { MarketReference } from '../../types/primitives.ts';
import { stepBookOrders } from '../book/keeper.ts';
import { inParts } from '../book/parts.ts';
import { type KeptUpdate, watchKept } from '../feed/keptWatcher.ts';
import type { WatchParameters } from '../feed/subscriber.ts';
import { sessionOf, type StreamsClient } from '../streams.ts';
import type { BookOrdersChange, BookOrdersState } from '../types.ts';
import type { Unwatch } from '../watch.ts';
import { type BookOrdersMessage, readBookOrdersMessage } from '../wire/states.ts';

/** How a book came out of the one that was shown before: which orders changed, and how many books a slow reader was not shown. */
export interface BookOrdersUpdate extends KeptUpdate<BookOrdersChange> {}

/** Which book is kept order by order, and who is shown it. */
export interface WatchBookOrdersParameters extends WatchParameters {
  readonly market: MarketReference;
  /** The whole book. While a promise of it is not settled newer books replace each other, and the newest is shown then. */
  readonly onBookOrders: (book: BookOrdersState, update: BookOrdersUpdate) => unknown;
}

/**
 * Shows each resting order of a market after each block that changed one: id, price and what is left. At one price the order that stands first trades
 * first. Checked and mended as `watchOrderBook` does.
 */
export function watchBookOrders(client: StreamsClient, parameters: WatchBookOrdersParameters): Unwatch {
  const marketId = marketIdOf(parameters.market);
  const step = inParts((kept: BookOrdersState | null, message: BookOrdersMessage) =>
    stepBookOrders(kept, message, marketId),
  );
  const source = {
    kind: 'bookOrders',
    options: { market_id: marketId },
    name: 'the orders of a book',
    step: (kept: BookOrdersState | null, result: unknown) => step(kept, readBookOrdersMessage(result)),
  };
  return watchKept(sessionOf(client), source, parameters, parameters.onBookOrders);
}
