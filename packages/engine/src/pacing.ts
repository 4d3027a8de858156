import type { ConsensusParams } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { Clock } from './ports.ts';

/**
 * When round 0 of a height begins.
 *
 * A block follows its parent after the least interval when there is work: waiting transactions, or the results of a non-empty
 * parent that only the next header commits to. An idle chain waits for the longer interval, and a transaction that arrives in
 * between begins the round at once. A message of the height from another validator begins it too: the others are ahead.
 *
 * Both intervals count from the start of the parent here: a parent that took longer is followed at once (ADR 197). Where this node did not
 * start it, they count from when the height can begin.
 */
export interface Pacing {
  /** A height can begin; `work` tells whether its parent was not empty or something waits. */
  begin(height: Height, work: boolean): void;
  /** Something for a block arrived. */
  onWork(): void;
  /** Another validator has begun the height. */
  onPeerActivity(): void;
  stop(): void;
}

export function createPacing(params: ConsensusParams, clock: Clock, start: () => void): Pacing {
  let height = 0 as Height;
  /** What the intervals of the height count from. */
  let sinceMs = 0;
  let started: { readonly height: Height; readonly atMs: number } | null = null;
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
    const interval = hasWork ? params.minBlockIntervalMs : params.emptyBlockIntervalMs;
    const delay = sinceMs + interval - clock.monotonicMs();
    if (delay <= 0) fire();
    else cancel = clock.after(delay, fire);
  };

  return {
    begin(next, work) {
      height = next;
      sinceMs = started?.height === next - 1 ? started.atMs : clock.monotonicMs();
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
      waiting = false;
      cancel();
    },
  };
}
