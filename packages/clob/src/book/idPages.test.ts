import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IdPages } from './idPages.ts';

describe('IdPages', () => {
  it('says what a Map says', () => {
    const id = fc.oneof(
      fc.nat(40),
      fc.integer({ min: 1020, max: 1030 }),
      fc.integer({ min: 2 ** 50, max: 2 ** 50 + 30 }),
    );
    const step = fc.tuple(id, fc.integer({ min: -1, max: 254 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const pages = new IdPages();
        const model = new Map<number, number>();
        for (const [key, value] of steps) {
          if (value < 0) {
            pages.delete(key);
            model.delete(key);
          } else {
            pages.set(key, value);
            model.set(key, value);
          }
          for (const [asked] of steps) expect(pages.get(asked)).toBe(model.get(asked) ?? -1);
        }
      }),
    );
  });
});
