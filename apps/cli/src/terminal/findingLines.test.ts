import { describe, expect, it } from '@jest/globals';
import { findingLines } from './findingLines.ts';

const violationsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `number ${index}`);

describe('findingLines', () => {
  it('show what was seen, and the first of many violations with the number of the others', () => {
    expect(findingLines([{ rule: 'agreement', seen: '7 blocks', violations: [] }])).toEqual([
      'ok  agreement: 7 blocks',
    ]);
    for (const [count, last] of [
      [19, '      number 18'],
      [20, '      number 19'],
      [21, '      and 1 more'],
      [500, '      and 480 more'],
    ] as const) {
      const lines = findingLines([{ rule: 'accounted', seen: 'all', violations: violationsOf(count) }]);
      expect(lines[0]).toBe('NO  accounted: all');
      expect(lines.at(-1)).toBe(last);
      expect(lines).toHaveLength(Math.min(count, 20) + 1 + (count > 20 ? 1 : 0));
    }
  });
});
