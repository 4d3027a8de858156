/** Actions and items that a bot may send, spread over time. */
export interface TokenBucket {
  /** Takes so many, or none and false. */
  take(count: number, nowMs: number): boolean;
  /** How many there are. */
  available(nowMs: number): number;
}

const msPerSecond = 1_000;

/** @param perSecond how many come back in a second, and how many there are at most */
export function createTokenBucket(perSecond: number): TokenBucket {
  // In thousandths, so that all of it is whole numbers.
  const full = perSecond * msPerSecond;
  let thousandths = full;
  let atMs: number | null = null;
  const refill = (nowMs: number): void => {
    if (atMs !== null && nowMs > atMs) thousandths = Math.min(full, thousandths + (nowMs - atMs) * perSecond);
    if (atMs === null || nowMs > atMs) atMs = nowMs;
  };
  return {
    take(count, nowMs) {
      refill(nowMs);
      if (thousandths < count * msPerSecond) return false;
      thousandths -= count * msPerSecond;
      return true;
    },
    available(nowMs) {
      refill(nowMs);
      return Math.floor(thousandths / msPerSecond);
    },
  };
}
