import { type ReadonlySignal, signal } from '@preact/signals';
import {
  type OrderBookState,
  type StreamError,
  type StreamsClient,
  type StreamStatus,
  watchOrderBook,
} from '@prime/sdk';
import { coalesce, type RequestFrame } from '../../../live/frames.ts';

/** The order book of one market as the node tells it, once per frame. */
export interface LiveBook {
  /** null before the first. */
  readonly book: ReadonlySignal<OrderBookState | null>;
  readonly status: ReadonlySignal<StreamStatus>;
  /** Why nothing more comes; null while it may. */
  readonly error: ReadonlySignal<StreamError | null>;
  /** Books of the latest blocks that changed it, oldest first: what was shown is compared with what is proven of its block. */
  recent(): readonly OrderBookState[];
  close(): void;
}

/** The market whose book is followed. */
export interface LiveBookOptions {
  readonly streams: StreamsClient;
  readonly marketId: number;
  readonly requestFrame: RequestFrame;
}

/** A proof is of a block some seconds ago at most. */
const recentBooksMax = 64;

/** Follows a book until it is closed; it is shown once in a frame. */
export function openBook({ streams, marketId, requestFrame }: LiveBookOptions): LiveBook {
  const book = signal<OrderBookState | null>(null);
  const status = signal<StreamStatus>('syncing');
  const error = signal<StreamError | null>(null);
  const recent: OrderBookState[] = [];
  const show = coalesce(requestFrame, () => {
    book.value = recent.at(-1) ?? null;
  });
  const unwatch = watchOrderBook(streams, {
    market: marketId,
    onOrderBook: (next) => {
      recent.push(next);
      if (recent.length > recentBooksMax) recent.shift();
      show();
    },
    onStatus: (next) => {
      status.value = next;
    },
    onError: (thrown) => {
      if (thrown.isFatal) error.value = thrown;
    },
  });
  return { book, status, error, recent: () => [...recent], close: unwatch };
}
