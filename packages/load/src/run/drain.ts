import type { Ledger } from './verdict/ledger.ts';

const pollMs = 50;

/** Time and pauses, so that a test brings its own; ms. */
export interface DrainClock {
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const ownClock: DrainClock = {
  nowMs: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * Waits until all that was acknowledged is in blocks, or none of it has come into one for too long: a queue that gets shorter, however slowly, is not over.
 *
 * @param quietMs longest time in which nothing comes, ms
 */
export async function drained(
  ledger: Pick<Ledger, 'open' | 'committed'>,
  quietMs: number,
  { nowMs, pause }: DrainClock = ownClock,
): Promise<void> {
  let { committed } = ledger;
  for (let end = nowMs() + quietMs; ledger.open > 0 && nowMs() < end; await pause(pollMs)) {
    if (ledger.committed === committed) continue;
    ({ committed } = ledger);
    end = nowMs() + quietMs;
  }
}
