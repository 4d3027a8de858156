import { type ReadonlySignal, signal } from '@preact/signals';
import {
  type Candle,
  type CandleInterval,
  getCandles,
  type Market,
  type PrimeClient,
  type StreamsClient,
  watchCandles,
} from '@prime/sdk';
import { coalesce, type RequestFrame } from '../../../live/frames.ts';
import { mergeCandles } from './candles.ts';

/** The candles of a market at one interval, as the node has them. */
export interface LiveCandles {
  /** Oldest first; null until they were read. */
  readonly candles: ReadonlySignal<readonly Candle[] | null>;
  /** Why they could not be read, or why nothing more comes; null while all is well. */
  readonly error: ReadonlySignal<unknown>;
  /** Tries again to read them. */
  reload(): void;
  close(): void;
}

/** Candles that are read at first. */
const firstCandles = 500;

/** The market whose candles are followed, and their length. */
export interface LiveCandlesOptions {
  readonly client: PrimeClient;
  readonly streams: StreamsClient;
  readonly market: Market;
  readonly interval: CandleInterval;
  readonly requestFrame: RequestFrame;
}

/** What was is read once. What comes, and what came while there was no connection, the node's stream tells; it is shown once in a frame. */
export function openCandles({ client, streams, market, interval, requestFrame }: LiveCandlesOptions): LiveCandles {
  const candles = signal<readonly Candle[] | null>(null);
  const error = signal<unknown>(null);
  let known: readonly Candle[] = [];
  let isRead = false;
  let isReading = false;
  let isOver = false;
  const show = coalesce(requestFrame, () => {
    if (!isOver && isRead) candles.value = known;
  });
  const read = (): void => {
    if (isRead || isReading) return;
    isReading = true;
    getCandles(client, { market, interval, limit: firstCandles })
      .then(
        (past) => {
          isRead = true;
          // What the stream told meanwhile is newer.
          known = mergeCandles(past, known);
          error.value = null;
          show();
        },
        (thrown: unknown) => {
          error.value = thrown;
        },
      )
      .finally(() => {
        isReading = false;
      });
  };
  read();
  const unwatch = watchCandles(streams, {
    market,
    interval,
    onCandle: (candle) => {
      known = mergeCandles(known, [candle]);
      show();
    },
    onStatus: (status) => {
      if (status === 'live') read();
    },
    onError: (thrown) => {
      if (thrown.isFatal) error.value = thrown;
    },
  });
  return {
    candles,
    error,
    reload: read,
    close() {
      isOver = true;
      unwatch();
    },
  };
}
