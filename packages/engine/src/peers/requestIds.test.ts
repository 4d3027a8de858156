import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstRequestId } from './requestIds.ts';

const dayMs = 86_400_000;

it('processes that start a millisecond apart, and ask a thousand times in each until then, have no id in common', () => {
  const now = Date.UTC(2026, 0);
  fc.assert(
    fc.property(
      fc.integer({ min: now, max: now + 200 * 365 * dayMs }),
      fc.integer({ min: 1, max: dayMs }),
      (ms, later) => {
        const lastOfTheFirst = firstRequestId(ms) + later * 1_000;
        expect(firstRequestId(ms + later)).toBeGreaterThan(lastOfTheFirst);
        expect(Number.isSafeInteger(firstRequestId(ms + later))).toBe(true);
      },
    ),
  );
});
