import type { ConsensusParams } from '@prime/codec';
import type { Clock } from './ports.ts';

/**
 * When round 0 of a height begins.
 *
 * A block follows its parent after the least interval when there is work: waiting transactions, or the results of a non-empty
 * parent that only the next header commits to. An idle chain waits for the longer interval, and a transaction that arrives in
 * between begins the round at once. A message of the height from another validator begins it too: the others are ahead.
 */
export interface Pacing {
  /** A height begins; `work` tells whether its parent was not empty or something waits. */
  begin(work: boolean): void;
  /** Something for a block arrived. */
  onWork(): void;
  /** Another validator has begun the height. */
  onPeerActivity(): void;
  stop(): void;
}

export function createPacing(params: ConsensusParams, clock: Clock, start: () => void): Pacing {
  let begunMs = 0;
  let waiting = false;
  let hasWork = false;
  let cancel = (): void => undefined;

  const fire = (): void => {
    if (!waiting) return;
    waiting = false;
    cancel();
    start();
  };
  const schedule = (): void => {
    cancel();
    const interval = hasWork ? params.minBlockIntervalMs : params.emptyBlockIntervalMs;
    const delay = begunMs + interval - clock.monotonicMs();
    if (delay <= 0) fire();
    else cancel = clock.after(delay, fire);
  };

  return {
    begin(work) {
      begunMs = clock.monotonicMs();
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
