import { describe, expect, it } from '@jest/globals';
import { drained } from './drain.ts';

/** A queue from which one operation comes every so often, until so many have come. @returns when the wait was over, ms */
async function wait(queue: {
  readonly open: number;
  readonly everyMs: number;
  readonly comes: number;
}): Promise<number> {
  let now = 0;
  const came = (): number => Math.min(queue.comes, Math.floor(now / queue.everyMs));
  const ledger = {
    get open() {
      return queue.open - came();
    },
    get committed() {
      return came();
    },
  };
  const pause = (ms: number): Promise<void> => Promise.resolve(void (now += ms));
  await drained(ledger, 1000, { nowMs: () => now, pause });
  return now;
}

describe('drained', () => {
  it('ends with the last operation, however long the queue is', async () => {
    expect(await wait({ open: 0, everyMs: 1000, comes: 0 })).toBe(0);
    expect(await wait({ open: 40, everyMs: 900, comes: 40 })).toBe(36_000);
  });

  it('gives up when none has come for the time that is allowed', async () => {
    expect(await wait({ open: 1, everyMs: 5000, comes: 1 })).toBe(1000);
    expect(await wait({ open: 41, everyMs: 900, comes: 40 })).toBe(37_000);
  });
});
