import { describe, expect, it } from '@jest/globals';
import { marginBarOf } from './margin.ts';

const figures = {
  equity: 1_000n,
  initialMargin: 400n,
  maintenanceMargin: 200n,
  freeCollateral: 500n,
  liquidatable: false,
};

describe('the margin bar', () => {
  it('shows what positions need, and what they and orders take in addition', () => {
    expect(marginBarOf(figures)).toEqual({ maintenance: 0.2, initial: 0.3, state: 'safe', used: 0.2 });
  });

  it('of an account with nothing at risk is empty', () => {
    const idle = { ...figures, initialMargin: 0n, maintenanceMargin: 0n, freeCollateral: 1_000n };
    expect(marginBarOf(idle)).toEqual({ maintenance: 0, initial: 0, state: 'none', used: 0 });
    expect(marginBarOf({ ...idle, equity: 0n, freeCollateral: 0n })).toMatchObject({ state: 'none', used: null });
  });

  it('says when it gets close', () => {
    expect(marginBarOf({ ...figures, maintenanceMargin: 800n, freeCollateral: -100n })).toEqual({
      maintenance: 0.8,
      initial: expect.closeTo(0.2),
      state: 'tight',
      used: 0.8,
    });
  });

  it('of an account that may be liquidated is full, with debt as well', () => {
    expect(marginBarOf({ ...figures, equity: 100n, liquidatable: true })).toMatchObject({
      maintenance: 1,
      initial: 0,
      state: 'liquidatable',
    });
    expect(marginBarOf({ ...figures, equity: -5n, liquidatable: true })).toMatchObject({ maintenance: 1, used: null });
  });
});
