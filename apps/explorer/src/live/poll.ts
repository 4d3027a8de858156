import { type ReadonlySignal, signal } from '@preact/signals';
import { createShared, type Shared } from './shared.ts';

/** Something that was read, and what became of it. A value stays while it is read anew. */
export interface Resource<T> {
  /** null until it was read. */
  readonly value: T | null;
  /** Why it could not be read; null when it could. */
  readonly error: unknown;
  readonly reload: () => void;
}

/** What is asked for again and again while somebody looks at it. The value stays while it is asked for anew, and when that fails. */
export interface Poll<T> extends Shared {
  /** null until the first answer. */
  readonly value: ReadonlySignal<T | null>;
  /** Why the newest attempt failed; null when it did not. */
  readonly error: ReadonlySignal<unknown>;
  /** Asks now, whatever the time. */
  reload(): void;
}

/** @param everyMs between an answer and the next question @param lingerMs as {@link createShared} takes it */
export function createPoll<T>(load: () => Promise<T>, everyMs: number, lingerMs?: number): Poll<T> {
  const value = signal<T | null>(null);
  const error = signal<unknown>(null);
  let ask: () => void = () => undefined;
  const shared = createShared(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isOver = false;
    let isAsking = false;
    ask = () => {
      if (isAsking || isOver) return;
      isAsking = true;
      if (timer !== null) clearTimeout(timer);
      load()
        .then(
          (loaded) => {
            if (isOver) return;
            value.value = loaded;
            error.value = null;
          },
          (thrown: unknown) => {
            if (!isOver) error.value = thrown;
          },
        )
        .finally(() => {
          isAsking = false;
          if (!isOver) timer = setTimeout(ask, everyMs);
        });
    };
    ask();
    return () => {
      isOver = true;
      ask = () => undefined;
      if (timer !== null) clearTimeout(timer);
    };
  }, lingerMs);
  return { value, error, hold: () => shared.hold(), reload: () => ask() };
}

/** What a poll knows now; a component that asks for it is drawn anew with each answer. */
export const resourceOf = <T>({ value, error, reload }: Poll<T>): Resource<T> => ({
  value: value.value,
  error: error.value,
  reload,
});
