import type { PrimeError } from '@prime/primitives';

/** A request that waits for its response. */
export interface UnansweredRequest {
  readonly name: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: PrimeError) => void;
  /** On the clock of performance.now(), as all times here. */
  readonly askedAtMs: number;
  /** Infinity: none. */
  readonly deadlineAtMs: number;
  readonly deadlineMs: number;
  readonly signal: AbortSignal | null;
  readonly onAbort: (() => void) | null;
}

/**
 * Requests in flight by correlation id, with one timer for all of them: arming a timer per request would cost more than sending
 * it. The timer stands at the earliest deadline known when it was armed; most requests are answered before it fires.
 */
export class UnansweredRequests {
  readonly #requests = new Map<number, UnansweredRequest>();
  readonly #onDeadline: (correlation: number, request: UnansweredRequest) => void;
  #lastCorrelation = 0;
  #timer: NodeJS.Timeout | null = null;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(onDeadline: (correlation: number, request: UnansweredRequest) => void) {
    this.#onDeadline = onDeadline;
  }

  get count(): number {
    return this.#requests.size;
  }

  /** An id that no request in flight has; 1..2^32-1. */
  nextCorrelation(): number {
    do this.#lastCorrelation = (this.#lastCorrelation + 1) >>> 0 || 1;
    while (this.#requests.has(this.#lastCorrelation));
    return this.#lastCorrelation;
  }

  add(correlation: number, request: UnansweredRequest): void {
    this.#requests.set(correlation, request);
    if (request.deadlineAtMs < this.#timerAtMs) this.#arm(request.deadlineAtMs);
  }

  /** Takes a request out; undefined when it was answered, cancelled or late before. */
  take(correlation: number): UnansweredRequest | undefined {
    const request = this.#requests.get(correlation);
    if (request === undefined) return undefined;
    this.#requests.delete(correlation);
    if (request.onAbort !== null) request.signal?.removeEventListener('abort', request.onAbort);
    return request;
  }

  /** Takes all of them out. */
  takeAll(): UnansweredRequest[] {
    const all = [...this.#requests.keys()].map((correlation) => this.take(correlation)!);
    this.#disarm();
    return all;
  }

  #arm(atMs: number): void {
    this.#disarm();
    this.#timerAtMs = atMs;
    // One millisecond more than the rest, because timers may fire a fraction early.
    const delayMs = Math.min(Math.max(0, Math.ceil(atMs - performance.now()) + 1), 0x7fffffff);
    this.#timer = setTimeout(() => this.#sweep(), delayMs);
    // The endpoint's port decides whether the thread stays alive.
    this.#timer.unref();
  }

  #disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  #sweep(): void {
    this.#disarm();
    const nowMs = performance.now();
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const [correlation, request] of this.#requests) {
      if (request.deadlineAtMs > nowMs) {
        if (request.deadlineAtMs < nextAtMs) nextAtMs = request.deadlineAtMs;
        continue;
      }
      this.take(correlation);
      this.#onDeadline(correlation, request);
    }
    // Callbacks above may have added requests and armed the timer.
    if (nextAtMs < this.#timerAtMs) this.#arm(nextAtMs);
  }
}
