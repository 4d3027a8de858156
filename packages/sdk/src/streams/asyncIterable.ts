import type { StreamError } from './errors.ts';
import type { Unwatch } from './watch.ts';

/** What a watcher is started with: where what it tells goes. */
export type StartWatcher<value> = (
  /** For the watcher's callback: its promise is settled when the reader has taken the value, so that the stream waits. */
  next: (value: value) => Promise<void>,
  /** For `onError`: an error after which nothing more comes ends the loop; the others are passed over. */
  onError: (error: StreamError) => void,
) => Unwatch;

/**
 * A watcher as a loop: `for await (const trades of toAsyncIterable<readonly StreamedTrade[]>((next, onError) => watchTrades(client, { market,
 * onTrades: next, onError })))`. It begins with the first value that is asked for; leaving the loop ends it.
 *
 * @throws StreamError in the loop, one with `isFatal`
 */
export function toAsyncIterable<value>(start: StartWatcher<value>): AsyncIterableIterator<value> {
  const values: { readonly value: value; readonly taken: () => void }[] = [];
  const readers: {
    readonly resolve: (result: IteratorResult<value>) => void;
    readonly reject: (error: StreamError) => void;
  }[] = [];
  let unwatch: Unwatch | null = null;
  let failure: StreamError | null = null;
  let isDone = false;

  const next = (value: value): Promise<void> => {
    if (isDone) return Promise.resolve();
    const reader = readers.shift();
    if (reader !== undefined) {
      reader.resolve({ value, done: false });
      return Promise.resolve();
    }
    return new Promise((taken) => values.push({ value, taken }));
  };
  const onError = (error: StreamError): void => {
    if (!error.isFatal) return;
    failure = error;
    isDone = true;
    const [reader, ...others] = readers.splice(0);
    if (reader === undefined) return;
    failure = null;
    reader.reject(error);
    for (const other of others) other.resolve({ value: undefined, done: true });
  };
  const end = (): IteratorReturnResult<undefined> => {
    isDone = true;
    unwatch?.();
    for (const { taken } of values.splice(0)) taken();
    for (const { resolve } of readers.splice(0)) resolve({ value: undefined, done: true });
    return { value: undefined, done: true };
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => {
      if (unwatch === null && !isDone) unwatch = start(next, onError);
      const held = values.shift();
      if (held !== undefined) {
        held.taken();
        return Promise.resolve({ value: held.value, done: false });
      }
      if (failure !== null) {
        const error: StreamError = failure;
        failure = null;
        return Promise.reject(error);
      }
      if (isDone) return Promise.resolve({ value: undefined, done: true });
      return new Promise((resolve, reject) => readers.push({ resolve, reject }));
    },
    return: () => Promise.resolve(end()),
  };
}
