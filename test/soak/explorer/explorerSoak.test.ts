import { describe, expect, it } from '@jest/globals';
import { growthOf, type PageSample } from './explorerSoak.ts';

const samplesOf = (heapMiB: (minute: number) => number): PageSample[] =>
  Array.from({ length: 30 }, (_, index) => ({
    minute: index + 1,
    heapBytes: Math.round(heapMiB(index + 1) * (1 << 20)),
    nodes: 1000,
    listeners: 50,
  }));

describe('growth of a page', () => {
  it('is none where it is warm after minutes and then comes and goes', () => {
    expect(growthOf(samplesOf((minute) => (minute < 5 ? minute : 8 + (minute % 4))))).toEqual([]);
  });

  it('is found where it is a third of a MiB a minute', () => {
    expect(growthOf(samplesOf((minute) => 8 + minute / 3 + (minute % 2)))).toEqual([
      expect.stringMatching(/^heapBytes grew by \d+, 2097152 are allowed$/),
    ]);
  });
});
