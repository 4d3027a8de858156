import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TokenBucket } from './tokenBucket.ts';

const limits = { requestsPerSecond: 10, burst: 3, concurrency: 0 };

/** Enters and leaves at once. */
const ask = (bucket: TokenBucket, nowMs: number) => {
  const refusal = bucket.enter(nowMs);
  if (refusal === null) bucket.leave();
  return refusal;
};

describe('TokenBucket', () => {
  it('a full bucket: as many calls at once as it holds, then one per interval', () => {
    const bucket = new TokenBucket(limits, 0);
    for (let call = 0; call < 3; call++) expect(ask(bucket, 0)).toBeNull();
    expect(ask(bucket, 0)).toEqual({ limit: 'requestsPerSecond', maximum: 10, retryAfterMs: 100 });
    expect(ask(bucket, 99)).toMatchObject({ retryAfterMs: 1 });
    expect(ask(bucket, 100)).toBeNull();
    expect(ask(bucket, 100)).not.toBeNull();
  });

  it('a call costs a token, to the thousandth', () => {
    const bucket = new TokenBucket({ requestsPerSecond: 1, burst: 1, concurrency: 0 }, 0);
    for (let second = 0; second < 5; second++) {
      expect(ask(bucket, second * 1_000)).toBeNull();
      expect(ask(bucket, second * 1_000 + 999)).toMatchObject({ retryAfterMs: 1 });
    }
  });

  it('places that are taken: no more calls until one is given back, and no token is lost', () => {
    const bucket = new TokenBucket({ ...limits, burst: 2, concurrency: 1 }, 0);
    expect(bucket.enter(0)).toBeNull();
    expect(bucket.enter(0)).toMatchObject({ limit: 'concurrency', maximum: 1 });
    bucket.leave();
    expect(bucket.enter(0)).toBeNull();
  });

  it('no limits: never refuses', () => {
    const bucket = new TokenBucket({ requestsPerSecond: 0, burst: 1, concurrency: 0 }, 0);
    for (let call = 0; call < 1000; call++) expect(bucket.enter(0)).toBeNull();
  });

  it('is idle when forgetting it changes nothing', () => {
    const bucket = new TokenBucket(limits, 0);
    expect(bucket.isIdle(0)).toBe(true);
    bucket.enter(0);
    expect(bucket.isIdle(1_000)).toBe(false);
    bucket.leave();
    expect(bucket.isIdle(1_000)).toBe(true);
    ask(bucket, 1_000);
    expect(bucket.isIdle(1_050)).toBe(false);
  });

  it('in any stretch of time: never more calls than the burst and the rate allow, and a refused caller who waits is let in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
        (requestsPerSecond, burst, pauses) => {
          const bucket = new TokenBucket({ requestsPerSecond, burst, concurrency: 0 }, 0);
          let nowMs = 0;
          let taken = 0;
          for (const pause of pauses) {
            nowMs += pause;
            const refusal = ask(bucket, nowMs);
            if (refusal === null) taken++;
            else {
              nowMs += refusal.retryAfterMs;
              expect(ask(bucket, nowMs)).toBeNull();
              taken++;
            }
            expect(taken).toBeLessThanOrEqual(burst + (nowMs / 1_000) * requestsPerSecond + 1e-6);
          }
        },
      ),
    );
  });
});
