/**
 * How busy the gateway's thread is, told by how late its timers come: the time that a request which arrives now waits before
 * anybody looks at it. That one figure covers everything that keeps the thread or its processor busy: many requests, large
 * answers, and other threads of the machine that are more important.
 */
export type LoadLevel =
  | 'normal'
  /** Heavy calls are refused. */
  | 'busy'
  /** Everything on the public surface is refused, unread. */
  | 'overloaded';

/** How busy the gateway is; from which lateness of its timers on it counts as busy or overloaded, ms. */
export interface Load {
  level(): LoadLevel;
  readonly busyDelayMs: number;
  readonly overloadDelayMs: number;
}

/** Lateness of timers, ms, from which the thread counts as busy and as overloaded. */
export interface LoadMonitorOptions {
  readonly busyDelayMs: number;
  readonly overloadDelayMs: number;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
}

const sampleIntervalMs = 20;
/** Share of the last figure that remains per sample: a tenth is left after 0.3 s. */
const decay = 0.85;
/** Samples without a question after which a thread that is in time is not looked at any more: an idle node does not wake for it. */
const unaskedMax = 50;

/** Measures only while somebody asks, every 20 ms. Peaks fade: a tenth of one is left after 0.3 s. */
export class LoadMonitor implements Load {
  readonly busyDelayMs: number;
  readonly overloadDelayMs: number;
  private readonly now: () => number;
  private delayMs = 0;
  private timer: ReturnType<typeof setInterval> | null = null;
  private lastAt = 0;
  private unasked = 0;
  private isOpen = false;

  constructor({ busyDelayMs, overloadDelayMs, now }: LoadMonitorOptions) {
    this.busyDelayMs = busyDelayMs;
    this.overloadDelayMs = overloadDelayMs;
    this.now = now;
  }

  start(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
    this.sleep();
  }

  /** Called every 20 ms while somebody asks, or later when the thread is busy. */
  sample(): void {
    const at = this.now();
    const late = Math.max(0, at - this.lastAt - sampleIntervalMs);
    this.lastAt = at;
    this.delayMs = Math.max(late, this.delayMs * decay);
    if (++this.unasked > unaskedMax && this.delayMs < this.busyDelayMs) this.sleep();
  }

  /** How busy the thread is; the first who asks after a pause starts the samples. */
  level(): LoadLevel {
    this.unasked = 0;
    if (this.isOpen && this.timer === null) this.wake();
    if (this.delayMs >= this.overloadDelayMs) return 'overloaded';
    return this.delayMs >= this.busyDelayMs ? 'busy' : 'normal';
  }

  private wake(): void {
    this.lastAt = this.now();
    this.timer = setInterval(() => this.sample(), sampleIntervalMs).unref();
  }

  private sleep(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.delayMs = 0;
  }
}
