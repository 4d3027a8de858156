import { marketIdOf } from '../decode/references.ts';
import type { MarketReference } from '../types/primitives.ts';
import { stepBook } from './book/keeper.ts';
import type { Link, Session } from './connection/session.ts';
import { isStreamError, StreamError, toStreamError } from './errors.ts';
import { Outlet } from './feed/outlet.ts';
import { refusedForever } from './feed/refusal.ts';
import { Subscriber, type WatchParameters } from './feed/subscriber.ts';
import { sessionOf, type StreamsClient } from './streams.ts';
import type { BookChange, OrderBookState } from './types.ts';
import type { Unwatch } from './watch.ts';
import { readBookMessage } from './wire/messages.ts';

/** How a book came out of the one that was shown before. */
export interface BookUpdate {
  /** Levels that changed since; null where it is to be read as a whole: after a snapshot, and when books were skipped. */
  readonly change: BookChange | null;
  /** Books in between that a slow reader was not shown. */
  readonly skipped: number;
}

/** Which book is kept, and who is shown it. */
export interface WatchOrderBookParameters extends WatchParameters {
  readonly market: MarketReference;
  /** The whole book. While a promise of it is not settled newer books replace each other, and the newest is shown then. */
  readonly onOrderBook: (book: OrderBookState, update: BookUpdate) => unknown;
}

/** Books of one connection that may break before another node is asked. */
const brokenMax = 3;

class BookWatcher extends Subscriber {
  readonly #parameters: WatchOrderBookParameters;
  readonly #marketId: number;
  /** Wakes the reader; what it is shown is {@link #next}. */
  readonly #outlet: Outlet<'wake'>;
  #kept: OrderBookState | null = null;
  #next: { readonly book: OrderBookState; readonly update: BookUpdate } | null = null;
  /** Newest block of which a book was handed on: an older one of another node is not shown. */
  #shownBlock = -1n;
  #brokenInARow = 0;
  #wasServed = false;

  constructor(session: Session, parameters: WatchOrderBookParameters) {
    super(session, parameters);
    this.#parameters = parameters;
    this.#marketId = marketIdOf(parameters.market);
    this.#outlet = new Outlet({
      max: 1,
      weigh: () => 1,
      handle: () => this.#show(),
      onFailed: (thrown) =>
        this.tellError(new StreamError('The reader of a book threw.', { code: 'STREAM_HANDLER_FAILED' }, thrown)),
    });
  }

  override onLink(link: Link): void {
    this.link = link;
    this.#brokenInARow = 0;
    this.#subscribe(link);
  }

  override onHead(): void {}

  protected override release(isOver: boolean): void {
    if (isOver) this.#outlet.close();
    else this.#kept = null;
  }

  #subscribe(link: Link): void {
    this.#kept = null;
    this.tellStatus('syncing');
    // Messages of a subscription that was given up may still be under way.
    let isCurrent = true;
    const onResult = (result: unknown): void => {
      if (isCurrent && this.link === link) isCurrent = this.#take(link, result);
    };
    link.subscribe('orderBook', { market_id: this.#marketId }, onResult).then(
      (id) => {
        if (this.link === link && isCurrent) this.subscription = id;
        else link.unsubscribe(id);
      },
      (thrown: unknown) => this.#trouble(link, toStreamError(thrown)),
    );
  }

  /** @returns whether the subscription goes on */
  #take(link: Link, result: unknown): boolean {
    const message = readBookMessage(result);
    const step = stepBook(this.#kept, message, this.#marketId);
    if (step.kind === 'broken') {
      this.#break(link, step.error);
      return false;
    }
    this.#kept = step.book;
    // A snapshot that is right says nothing of the updates, which broke it before.
    if (message.type === 'update') this.#brokenInARow = 0;
    this.#wasServed = true;
    if (step.book.blockNumber < this.#shownBlock) return true;
    this.#shownBlock = step.book.blockNumber;
    this.tellStatus('live');
    const change = message.type === 'update' ? step.change : null;
    const replaced = this.#next;
    this.#next = {
      book: step.book,
      update: replaced === null ? { change, skipped: 0 } : { change: null, skipped: replaced.update.skipped + 1 },
    };
    if (replaced === null) this.#outlet.push('wake');
    return true;
  }

  #show(): unknown {
    const next = this.#next;
    this.#next = null;
    // Before a book that broke meanwhile is mended, what was good is still what the chain had at its block.
    return next === null ? undefined : this.#parameters.onOrderBook(next.book, next.update);
  }

  #break(link: Link, error: StreamError): void {
    this.#brokenInARow++;
    this.drop();
    this.tellError(error);
    if (this.#brokenInARow >= brokenMax) link.fail(error);
    else if (this.link === link) this.#subscribe(link);
  }

  #trouble(link: Link, error: StreamError): void {
    if (this.link !== link || !link.isOpen) return;
    const refusal = refusedForever(error, 'orderBook', this.#wasServed);
    if (refusal !== null) return this.onOver(refusal);
    if (!isStreamError(error, 'STREAM_REQUEST_FAILED') || ++this.#brokenInARow >= brokenMax) return link.fail(error);
    this.tellError(error);
    this.retryLater(link, this.#brokenInARow, (current) => this.#subscribe(current));
  }
}

/**
 * Shows the order book of a market after each block that changed it. A book that fails its checksum, or misses an update, is never
 * shown: the stream is subscribed to again. While `onStatus` tells `syncing` or `interrupted` the newest book that was shown may be old.
 */
export function watchOrderBook(client: StreamsClient, parameters: WatchOrderBookParameters): Unwatch {
  const watcher = new BookWatcher(sessionOf(client), parameters);
  watcher.start();
  return () => watcher.stop();
}
