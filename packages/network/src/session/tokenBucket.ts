/** Allows a rate with bursts of one second's worth; may be overdrawn, and then says how long to wait. */
export interface TokenBucket {
  /** True when there is something left, and takes the cost; an overdrawn bucket takes nothing. */
  take(nowMs: number, cost: number): boolean;
  /** Milliseconds until the debt is paid; 0 without debt. */
  debtMs(nowMs: number): number;
}

/** @param perSecond tokens that come in each second, > 0 */
export function createTokenBucket(perSecond: number): TokenBucket {
  let tokens = perSecond;
  let updatedMs = Number.NEGATIVE_INFINITY;
  const refill = (nowMs: number): void => {
    // The first call finds the bucket full; a clock that stands still adds nothing.
    const elapsedMs = Math.max(0, nowMs - updatedMs);
    if (elapsedMs > 0) tokens = Math.min(perSecond, tokens + (perSecond * elapsedMs) / 1_000);
    updatedMs = nowMs;
  };
  return {
    take(nowMs, cost) {
      refill(nowMs);
      if (tokens <= 0) return false;
      tokens -= cost;
      return true;
    },
    debtMs(nowMs) {
      refill(nowMs);
      return tokens >= 0 ? 0 : Math.ceil((-tokens * 1_000) / perSecond);
    },
  };
}
