import type { ConsensusParams } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { Clock } from '../ports.ts';

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
 * Where many items wait when the least interval is over, the round begins {@link gatherMs} after the start of the parent, and so that rounds take a quarter
 * of the time at least: what comes with every block is most of what small ones cost, and a machine that is behind gathers more for each (ADR 205).
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
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>;
  /** Transactions and actions that a block could take now. */
  waiting(): number;
  /** Begins round 0. */
  start(): void;
}

/** Items of a block that cost about a quarter of what comes with each block by itself. */
const manyItems = 32;
/** From the start of the parent, where many items wait: what comes with each block is little beside that. Longer intervals stay as they are. */
const gatherMs = 300;
/** The same in times of how long the parent's round took. */
const gatherRounds = 4;

/** Uses no wall clock: a step of the system's time neither hastens nor holds up a block. */
export function createPacing({ params, clock, waiting: itemsWaiting, start }: PacingOptions): Pacing {
  let height = 0 as Height;
  /** What the intervals of the height count from. */
  let sinceMs = 0;
  let started: { readonly height: Height; readonly atMs: number } | null = null;
  /** From the start of the height to its end, as {@link Pacing.stop} is told. */
  let roundMs = 0;
  /** From the start of the parent to its decision, where this node started it. */
  let parentRoundMs = 0;
  /** Whether many items waited when the least interval was over. */
  let gathers = false;
  let waiting = false;
  let hasWork = false;
  let cancel = (): void => undefined;

  const fire = (): void => {
    if (!waiting) return;
    waiting = false;
    cancel();
    started = { height, atMs: clock.monotonicMs() };
    start();
  };
  const schedule = (): void => {
    cancel();
    const { minBlockIntervalMs, emptyBlockIntervalMs } = params;
    const sinceStartMs = clock.monotonicMs() - sinceMs;
    const least = (hasWork ? minBlockIntervalMs : emptyBlockIntervalMs) - sinceStartMs;
    gathers ||= least <= 0 && itemsWaiting() >= manyItems;
    const gather = Math.min(gatherMs, gatherRounds * parentRoundMs) - sinceStartMs;
    const delay = gathers ? gather : least;
    if (delay <= 0) fire();
    else cancel = clock.after(delay, schedule);
  };

  return {
    begin(next, work) {
      height = next;
      const isParentStarted = started?.height === next - 1;
      sinceMs = isParentStarted ? started!.atMs : clock.monotonicMs();
      parentRoundMs = isParentStarted ? roundMs : 0;
      gathers = false;
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
      roundMs = started?.height === height ? clock.monotonicMs() - started.atMs : 0;
      waiting = false;
      cancel();
    },
  };
}
