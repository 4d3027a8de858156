import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import fc from 'fast-check';
import { RecentIndex } from './recentIndex.ts';

interface Entry {
  readonly height: Height;
  readonly place: number;
  readonly terms: readonly string[];
}

const term = fc.constantFrom('a', 'b', 'c', 'd');
const blocks = fc.array(fc.array(fc.uniqueArray(term, { maxLength: 3 }), { maxLength: 4 }), { maxLength: 30 });
const groups = fc.array(fc.array(term, { maxLength: 3 }), { maxLength: 3 });

const wants = (entry: Entry, wanted: readonly (readonly string[])[]): boolean =>
  wanted.every((group) => group.length === 0 || group.some((each) => entry.terms.includes(each)));

describe('index of recent blocks', () => {
  it('while blocks come and go: candidates hold every match of the range, in order', () => {
    fc.assert(
      fc.property(blocks, fc.integer({ min: 1, max: 5 }), groups, (chain, capacity, wanted) => {
        const index = new RecentIndex<Entry>(
          ({ terms }) => terms,
          ({ place }) => place,
        );
        const kept: Entry[][] = [];
        chain.forEach((content, at) => {
          const entries = content.map((terms, place): Entry => ({ height: at as Height, place, terms }));
          index.add(entries);
          kept.push(entries);
          if (kept.length > capacity) index.drop(kept.shift()!);
          const range = { fromHeight: (at - 2) as Height, toHeight: (at - 1) as Height };
          const expected = kept
            .flat()
            .filter(({ height }) => height >= range.fromHeight && height <= range.toHeight)
            .filter((entry) => wants(entry, wanted));
          expect(index.candidates(wanted, range).filter((entry) => wants(entry, wanted))).toEqual(expected);
        });
      }),
    );
  });

  it('two groups: only the smaller one is looked through', () => {
    const index = new RecentIndex<Entry>(
      ({ terms }) => terms,
      ({ place }) => place,
    );
    index.add(
      Array.from({ length: 100 }, (_, place) => ({
        height: 1 as Height,
        place,
        terms: place === 7 ? ['common', 'rare'] : ['common'],
      })),
    );
    const range = { fromHeight: 0 as Height, toHeight: 9 as Height };
    expect(index.candidates([['common'], ['rare']], range).map(({ place }) => place)).toEqual([7]);
  });
});
