import { describe, expect, it } from '@jest/globals';
import type { Block } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { createClockOffset } from './clockOffset.ts';

const self = `0x${'01'.repeat(20)}` as Address;
const [first, second] = ['02', '03'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const block = (proposer: Address, timestampMs: number): Block => ({ header: { proposer, timestampMs } }) as Block;

/** Blocks once a second, each of which is so old when it is decided here. */
function clock() {
  const offset = createClockOffset(() => self);
  let seconds = 0;
  return {
    decide(proposer: Address, ageMs: number, round = 0, waitedSeconds = 1) {
      seconds += waitedSeconds;
      const monotonicMs = seconds * 1000;
      const nowMs = 1_700_000_000_000 + monotonicMs;
      return offset.committed(block(proposer, nowMs - ageMs), round, { nowMs, monotonicMs });
    },
  };
}

describe('the offset of the clock', () => {
  it('is the median age of the blocks of others, once there are eight of two proposers', () => {
    const { decide } = clock();
    const found = [first, second, first, second, first, second, first, second].map((each) => decide(each, 30));
    expect(found).toEqual([...Array<null>(7).fill(null), { offsetMs: 30, warn: false }]);
    expect(decide(first, 9_000)).toEqual({ offsetMs: 30, warn: false });
  });

  it('says nothing of one proposer alone, of own blocks, or of later rounds', () => {
    const alone = clock();
    for (let count = 0; count < 20; count++) expect(alone.decide(first, -5_000)).toBeNull();
    expect(alone.decide(self, 30)).toBeNull();
    expect(alone.decide(second, 30, 1)).toBeNull();
  });

  it.each([
    [-251, true],
    [-250, false],
    [2_000, false],
    [2_001, true],
  ])('%s ms: a warning is %s', (ageMs, warns) => {
    const { decide } = clock();
    const warned = Array.from(
      { length: 16 },
      (_, index) => decide(index % 2 === 0 ? first : second, ageMs)?.warn ?? false,
    );
    expect(warned.some(Boolean)).toBe(warns);
  });

  it('warns once in ten minutes', () => {
    const { decide } = clock();
    const warnings = (blocks: number): number =>
      Array.from({ length: blocks }, (_, index) => decide(index % 2 === 0 ? first : second, -3_000)?.warn).filter(
        Boolean,
      ).length;
    expect(warnings(100)).toBe(1);
    expect(decide(first, -3_000, 0, 600)?.warn).toBe(true);
    expect(warnings(100)).toBe(0);
  });
});
