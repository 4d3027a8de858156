import type { ConsensusParams } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { ThreadClock } from '../ports.ts';

/**
 * When round 0 of a height begins.
 *
 * A block follows its parent after the least interval when there is work: waiting transactions, or the results of a non-empty
 * parent that only the next header commits to. An idle chain waits for the longer interval, and a transaction that arrives in
 * between begins the round at once. A message of the height from another validator begins it too: the others are ahead.
 *
 * Both intervals count from the start of the parent here: a parent that took longer is followed at once (ADR 197). Where this node did not
 * start it, they count from when the height can begin.
 *
 * Where a round keeps this thread busy, the next one begins later, so that rounds take a quarter of the thread's time at most, and for at most
 * {@link longestIntervals} of the least intervals: a machine that is behind gathers more for each block, because what comes with every block is most of what small
 * ones cost (ADR 203).
 */
export interface Pacing {
  /** A height can begin; `work` tells whether its parent was not empty or something waits. */
  begin(height: Height, work: boolean): void;
  /** Something for a block arrived. */
  onWork(): void;
  /** Another validator has begun the height. */
  onPeerActivity(): void;
  /** The height is decided, or nothing is to begin. */
  stop(): void;
}

/** Least times between blocks in ms, a clock, and what begins a height. */
export interface PacingOptions {
  readonly params: Pick<ConsensusParams, 'minBlockIntervalMs' | 'emptyBlockIntervalMs'>;
  readonly clock: Pick<ThreadClock, 'monotonicMs' | 'busyMs' | 'after'>;
  /** Begins round 0. */
  start(): void;
}

/** Least intervals after the start of the parent, at the end of which a round with work begins however busy the parent's kept this thread. */
const longestIntervals = 4;
/** Times what the parent's round took of this thread. */
const busyShare = 4;

/** Uses no wall clock: a step of the system's time neither hastens nor holds up a block. */
export function createPacing({ params, clock, start }: PacingOptions): Pacing {
  let height = 0 as Height;
  /** What the intervals of the height count from. */
  let sinceMs = 0;
  let started: { readonly height: Height; readonly atMs: number; readonly busyMs: number } | null = null;
  /** How busy the thread was from the start of the height to its end, as {@link Pacing.stop} is told. */
  let busyMs = 0;
  /** The same of the parent, where this node started it. */
  let parentBusyMs = 0;
  let waiting = false;
  let hasWork = false;
  let cancel = (): void => undefined;

  const fire = (): void => {
    if (!waiting) return;
    waiting = false;
    cancel();
    started = { height, atMs: clock.monotonicMs(), busyMs: clock.busyMs() };
    start();
  };
  const schedule = (): void => {
    cancel();
    const { minBlockIntervalMs, emptyBlockIntervalMs } = params;
    const busy = Math.min(longestIntervals * minBlockIntervalMs, busyShare * parentBusyMs);
    const interval = hasWork ? Math.max(minBlockIntervalMs, busy) : emptyBlockIntervalMs;
    const delay = interval - (clock.monotonicMs() - sinceMs);
    if (delay <= 0) fire();
    else cancel = clock.after(delay, schedule);
  };

  return {
    begin(next, work) {
      height = next;
      const isParentStarted = started?.height === next - 1;
      sinceMs = isParentStarted ? started!.atMs : clock.monotonicMs();
      parentBusyMs = isParentStarted ? busyMs : 0;
      waiting = true;
      hasWork = work;
      schedule();
    },
    onWork() {
      if (!waiting || hasWork) return;
      hasWork = true;
      schedule();
    },
    onPeerActivity: fire,
    stop() {
      busyMs = started?.height === height ? clock.busyMs() - started.busyMs : 0;
      waiting = false;
      cancel();
    },
  };
}
