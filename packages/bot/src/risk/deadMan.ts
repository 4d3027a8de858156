/** Silences after which a bot takes its quotes back, ms. */
export interface DeadManSettings {
  /** Since the last new block. */
  readonly feedSilentMs: number;
  /** Since the book or the account was last known to be right. */
  readonly staleMs: number;
  /** Since the strategy last answered. */
  readonly strategySilentMs: number;
}

/**
 * When each part that a bot depends on was last heard; ms since 1970, null for never. `accountMs` is about the
 * account's orders and position.
 */
export interface Signs {
  readonly nowMs: number;
  /** When the newest block came; null before the first. */
  readonly headMs: number | null;
  /** When the book was last known to be right; null before it ever was. */
  readonly bookMs: number | null;
  readonly accountMs: number | null;
  /** When the strategy last answered; null before it was asked. */
  readonly strategyMs: number | null;
}

/** Which part was silent too long, as logs and metrics name it. */
export type Silence = 'feed_silent' | 'book_stale' | 'account_unsure' | 'strategy_silent';

/** What has been silent for too long; null while all are heard. What was never heard is not silent, it has not begun. */
export function silenceOf(signs: Signs, settings: DeadManSettings): Silence | null {
  const isOver = (since: number | null, limitMs: number): boolean => since !== null && signs.nowMs - since > limitMs;
  if (isOver(signs.headMs, settings.feedSilentMs)) return 'feed_silent';
  if (isOver(signs.bookMs, settings.staleMs)) return 'book_stale';
  if (isOver(signs.accountMs, settings.staleMs)) return 'account_unsure';
  return isOver(signs.strategyMs, settings.strategySilentMs) ? 'strategy_silent' : null;
}
