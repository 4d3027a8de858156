import { type NonceRecord, nonceWindowSize } from './clobRecords.ts';
import { bytesEqual, createPrng, type Address } from '@prime/primitives';
import { checkNonce, useNonce, useNonceOf } from './nonceWindow.ts';
import { expect, describe, it } from '@jest/globals';
const alice = `0x${'a1'.repeat(20)}` as Address;

describe('nonce window', () => {
  it('accepts each nonce once, and those too far below the newest never: against a set of all used ones', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const prng = createPrng(seed);
      let record: NonceRecord | null = null;
      let newest = -1;
      const used = new Set<number>();
      let next = prng.below(100_000);
      for (let step = 0; step < 400; step++) {
        if (prng.chance(1, 3)) next += prng.chance(1, 20) ? prng.below(3 * nonceWindowSize) : prng.below(40);
        const nonce = Math.max(0, next - prng.below(prng.chance(1, 10) ? 2 * nonceWindowSize : 60));
        const expected =
          newest >= 0 && nonce <= newest - nonceWindowSize ? 'too_old' : used.has(nonce) ? 'used' : 'fresh';
        expect([seed, step, nonce, checkNonce(record, nonce)]).toEqual([seed, step, nonce, expected]);
        if (expected !== 'fresh') continue;
        const before: NonceRecord | null = record;
        const copy = before?.used.slice();
        record = useNonce(before, alice, nonce);
        expect(before === null || bytesEqual(before.used, copy!)).toBe(true);
        if (before !== null) expect(useNonceOf({ ...before, used: copy! }, nonce)).toEqual(record);
        used.add(nonce);
        newest = Math.max(newest, nonce);
        expect(record.newest).toBe(newest);
      }
    }
  });
});
