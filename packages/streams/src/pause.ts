import { setTimeout } from 'node:timers/promises';

/** Waits, or until the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined);

/** Waits between tries, ms. */
const [firstMs, longestMs] = [100, 5_000] as const;

/** How long to wait before a further try. @param attempt how many failed in a row, from 1 */
export const backoffMs = (attempt: number): number => Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
