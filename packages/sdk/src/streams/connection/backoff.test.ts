import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { reconnectDelayMs } from './backoff.ts';

const options = { baseMs: 100, maxMs: 1_000 };

describe('the wait before connecting again', () => {
  it('is nothing while there are URLs that did not fail yet, then grows with each round up to its bound', () => {
    const waits = Array.from({ length: 16 }, (_, failures) => reconnectDelayMs(failures, 2, options, 0.999_999));
    expect(waits.map(Math.round)).toEqual([
      0, 0, 100, 100, 200, 200, 400, 400, 800, 800, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000,
    ]);
  });

  it('is random by half, so that clients do not come back together', () => {
    expect([0, 0.5, 1].map((random) => reconnectDelayMs(3, 1, options, random))).toEqual([200, 300, 400]);
  });

  it('is finite and bounded after any number of failures', () => {
    const property = fc.property(
      fc.nat(),
      fc.integer({ min: 0, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, urls, random) => {
        const delay = reconnectDelayMs(failures, urls, options, random);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(options.maxMs);
      },
    );
    expect(() => fc.assert(property)).not.toThrow();
  });
});
