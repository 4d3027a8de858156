import { describe, expect, it } from '@jest/globals';
import { agreedPrice, type Quote } from './agree.ts';

const now = 1_000_000;
const rules = { quorum: 2, maxAgeMs: 10_000, outlierBps: 300 };
const quote = (price: number, ageMs = 0): Quote => ({ price: BigInt(price), observedAtMs: now - ageMs });

describe('agreedPrice', () => {
  it.each<[string, readonly (Quote | null)[], number | null]>([
    ['nobody answers', [null, null], null],
    ['one answers, two have to', [quote(100), null], null],
    ['two that agree', [quote(100), quote(101)], 100],
    ['three', [quote(103), quote(100), quote(101)], 101],
    ['two that do not agree', [quote(100), quote(104)], null],
    ['one of three that is far off', [quote(10_000), quote(10_010), quote(50_000)], 10_000],
    ['one that is as far off as may be', [quote(10_000), quote(10_000), quote(10_300)], 10_000],
    ['one that is as old as may be', [quote(100), quote(100, 10_000)], 100],
    ['one that is older', [quote(100), quote(100, 10_001)], null],
  ])('%s', (_, quotes, price) => {
    expect(agreedPrice(quotes, rules, now)).toBe(price === null ? null : BigInt(price));
  });

  it('asks those that are left whether they are enough', () => {
    expect(agreedPrice([quote(100), quote(100), quote(200)], { ...rules, quorum: 3 }, now)).toBeNull();
  });
});
