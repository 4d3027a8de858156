import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNestedDeeper, nestingDepth } from './nestingDepth.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('nestingDepth', () => {
  it('is the depth of the parsed value, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify([[value, '"[[{\\"[', '\\']]);
        expect(nestingDepth(text, 0)).toBeGreaterThan(0);
        expect(nestingDepth(text, 10)).toBe(text.length <= 10 ? text.length : depthOf(JSON.parse(text)));
      }),
    );
  });

  it('stops counting one above the limit', () => {
    expect(nestingDepth('['.repeat(100_000), 64)).toBe(65);
  });
});

describe('isNestedDeeper', () => {
  it('says of a parsed value what its text says', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 8 }), (value, limit) => {
        const text = JSON.stringify(value).padEnd(limit + 1);
        expect(isNestedDeeper(value, limit)).toBe(nestingDepth(text, limit) > limit);
      }),
    );
  });

  it('takes a value of any depth', () => {
    expect(isNestedDeeper(JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`), 64)).toBe(true);
  });
});
