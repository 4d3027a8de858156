import { describe, expect, it } from '@jest/globals';
import type { NetworkNodes } from '@prime/sdk';
import { absenceAfter } from './presence.ts';

const seen = (...present: readonly string[]): NetworkNodes['validators'] =>
  ['a', 'b'].map((address) => ({ address, isPresent: present.includes(address) })) as never;

describe('the absence of a validator', () => {
  it('counts looks since it went, and ends when it is back', () => {
    const both = absenceAfter(new Map(), seen('a', 'b'));
    const gone = absenceAfter(absenceAfter(both, seen('a')), seen('a'));
    expect([...gone]).toEqual([
      ['a', 0],
      ['b', 2],
    ]);
    expect(absenceAfter(gone, seen('b')).get('b')).toBe(0);
  });

  it('is not known of one that was never there', () => {
    expect([...absenceAfter(new Map(), seen('a'))]).toEqual([['a', 0]]);
  });

  it('is forgotten of one that is no validator any more', () => {
    expect([...absenceAfter(new Map([['c', 3]]), seen('a', 'b')).keys()]).toEqual(['a', 'b']);
  });
});
