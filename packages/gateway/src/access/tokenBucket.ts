/**
 * Calls of one client: a bucket of tokens that fills at a steady rate, and the number of calls in work. Time comes in as a
 * parameter, milliseconds of a clock that does not jump.
 */
export interface ClientLimits {
  /** Tokens per second; 0 is no limit. */
  readonly requestsPerSecond: number;
  /** Most tokens that are saved up, at least 1. */
  readonly burst: number;
  /** Calls in work at once; 0 is no limit. */
  readonly concurrency: number;
}

/** Which limit refused a call, how high it is, and when to try again, ms from now. */
export type BucketRefusal =
  | { readonly limit: 'requestsPerSecond'; readonly maximum: number; readonly retryAfterMs: number }
  | { readonly limit: 'concurrency'; readonly maximum: number; readonly retryAfterMs: number };

/** A place may be free again at any moment; this is how long to wait before asking, ms. */
const retryConcurrencyMs = 100;

const token = 1_000;

/** One client's allowance. It starts full, at `burst` calls; a concurrency of 0 is no limit. */
export class TokenBucket {
  private readonly limits: ClientLimits;
  /** Thousandths of a token: a rate of n per second fills n of them per millisecond. */
  private level: number;
  private filledAt: number;
  private inWork = 0;

  constructor(limits: ClientLimits, nowMs: number) {
    this.limits = limits;
    this.level = limits.burst * token;
    this.filledAt = nowMs;
  }

  /** Takes a token and a place; null when there were both, the reason otherwise, and then nothing is taken. */
  enter(nowMs: number): BucketRefusal | null {
    const { requestsPerSecond, concurrency } = this.limits;
    if (concurrency > 0 && this.inWork >= concurrency)
      return { limit: 'concurrency', maximum: concurrency, retryAfterMs: retryConcurrencyMs };
    if (requestsPerSecond > 0) {
      this.fill(nowMs);
      if (this.level < token) {
        const retryAfterMs = Math.ceil((token - this.level) / requestsPerSecond);
        return { limit: 'requestsPerSecond', maximum: requestsPerSecond, retryAfterMs };
      }
      this.level -= token;
    }
    this.inWork++;
    return null;
  }

  /** A call that began before the client was forgotten may end in a new bucket. */
  leave(): void {
    if (this.inWork > 0) this.inWork--;
  }

  /** Whether forgetting it would change nothing. */
  isIdle(nowMs: number): boolean {
    this.fill(nowMs);
    return this.inWork === 0 && (this.limits.requestsPerSecond === 0 || this.level >= this.limits.burst * token);
  }

  private fill(nowMs: number): void {
    const { requestsPerSecond, burst } = this.limits;
    const gained = Math.max(0, nowMs - this.filledAt) * requestsPerSecond;
    this.level = Math.min(burst * token, this.level + gained);
    this.filledAt = nowMs;
  }
}
