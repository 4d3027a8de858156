import { describe, expect, it } from '@jest/globals';
import { lagOf, untilBlockMs } from './lag.ts';

describe('how far a node is behind', () => {
  it('counts from where what it told may just be old', () => {
    expect(lagOf(100n, 100n, 200)).toEqual({ tone: 'good', text: 'at the head' });
    expect(lagOf(101n, 100n, 200).tone).toBe('good');
    expect(lagOf(90n, 100n, 200).tone).toBe('good');
    expect(lagOf(84n, 100n, 200)).toEqual({ tone: 'warn', text: '16 blocks behind' });
    expect(lagOf(98n, 100n, 10_000).tone).toBe('warn');
    expect(lagOf(1n, 1_000n, 200).tone).toBe('bad');
    expect(lagOf(99n, 100n, null).tone).toBe('good');
  });

  it('the time until a block follows from the pace', () => {
    expect(untilBlockMs(110n, 100n, 500)).toBe(5_000);
    expect([untilBlockMs(100n, 100n, 500), untilBlockMs(110n, 100n, null)]).toEqual([null, null]);
  });
});
