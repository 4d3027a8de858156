import { type ReadonlySignal, signal } from '@preact/signals';
import { candleIntervalMs } from '@prime/codec';
import { type Candle, type CandleInterval, getCandles, type Market, type PrimeClient } from '@prime/sdk';
import { mergeCandles } from './candles.ts';

/** The candles of a market at one interval, as the node has them. */
export interface LiveCandles {
  /** Oldest first; null until they were read. */
  readonly candles: ReadonlySignal<readonly Candle[] | null>;
  /** Why the newest attempt failed; null when it did not. */
  readonly error: ReadonlySignal<unknown>;
  /** Something was traded: the newest candles are another ones soon. */
  refresh(): void;
  /** All of them are read anew: after a time without a connection. */
  reload(): void;
  close(): void;
}

/** Candles that are read at first. */
const firstCandles = 500;
/** Between two questions: candles of seconds are those of somebody who looks closely. */
const pauseMsMin = 400;
const pauseMsMax = 1_200;

/** The market whose candles are followed, and their length. */
export interface LiveCandlesOptions {
  readonly client: PrimeClient;
  readonly market: Market;
  readonly interval: CandleInterval;
}

/** Prices move with trades at once, which is the page's doing; what stays of it is what the node says here, at most once in a while. */
export function openCandles({ client, market, interval }: LiveCandlesOptions): LiveCandles {
  const candles = signal<readonly Candle[] | null>(null);
  const error = signal<unknown>(null);
  const pauseMs = interval === '1s' ? pauseMsMin : pauseMsMax;
  let isOver = false;
  let isAsking = false;
  let isWanted = false;
  let isWhole = true;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const ask = (): void => {
    isAsking = true;
    isWanted = false;
    const last = candles.peek()?.at(-1);
    const known = isWhole ? undefined : last;
    isWhole = false;
    const range = known === undefined ? { limit: firstCandles } : rangeFrom(known, interval);
    getCandles(client, { market, interval, ...range })
      .then(
        (more) => {
          if (isOver) return;
          // What changed while nobody was connected is not among the newest.
          candles.value = known === undefined ? more : mergeCandles(candles.peek() ?? [], more);
          error.value = null;
        },
        (thrown: unknown) => {
          if (isOver) return;
          isWhole = true;
          error.value = thrown;
        },
      )
      .finally(() => {
        if (isOver) return;
        timer = setTimeout(() => {
          isAsking = false;
          if (isWanted) ask();
        }, pauseMs);
      });
  };
  const want = (): void => {
    isWanted = true;
    if (!isAsking && !isOver) ask();
  };
  want();
  return {
    candles,
    error,
    refresh: want,
    reload() {
      isWhole = true;
      want();
    },
    close() {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** From the newest that is known on: it was still growing. */
function rangeFrom({ openTimeMs }: Candle, interval: CandleInterval): { fromTimeMs?: number; limit: number } {
  // Nothing is asked for that a node with a short memory would have to refuse, and the chart holds no more.
  const since = Math.ceil((Date.now() - openTimeMs) / candleIntervalMs[interval]);
  return { limit: Math.min(Math.max(since + 2, 2), firstCandles) };
}
