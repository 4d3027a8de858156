/** How long is waited before connecting again. */
export interface BackoffOptions {
  /** Of the first wait, ms. */
  readonly baseMs: number;
  /** No wait is longer, ms. */
  readonly maxMs: number;
}

/**
 * Wait before the next attempt: none while there are URLs that did not fail in a row yet, then twice as long with each round over all
 * of them. Half of it is random, so that the clients of a node that ended do not come back together.
 *
 * @param failures in a row, of all URLs
 * @param urlCount URLs that are tried in turn
 * @param random from 0 up to 1
 */
export function reconnectDelayMs(
  failures: number,
  urlCount: number,
  { baseMs, maxMs }: BackoffOptions,
  random: number,
): number {
  const rounds = Math.floor(failures / Math.max(1, urlCount));
  if (rounds === 0) return 0;
  // 2^31 rounds of waiting never come; the bound keeps the power finite.
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(rounds - 1, 31));
  return full / 2 + (full / 2) * random;
}
