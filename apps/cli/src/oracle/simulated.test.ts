import { describe, expect, it } from '@jest/globals';
import { simulatedPrice } from './simulated.ts';

const simulation = { seed: 7, price: 3000, volatilityBps: 200, jumpBps: 0 };
const start = 1_700_000_000_000;
const hours = 48;
const path = (of: typeof simulation): number[] =>
  Array.from({ length: hours * 60 }, (_, minute) => simulatedPrice(of, start + minute * 60_000));

describe('simulatedPrice', () => {
  it('is the same for whoever asks for the same moment, and another one for another seed', () => {
    expect(path(simulation)).toEqual(path(simulation));
    expect(path({ ...simulation, seed: 8 })).not.toEqual(path(simulation));
  });

  it('moves, and stays as near as it is said to be', () => {
    const prices = path(simulation);
    expect(Math.max(...prices)).toBeLessThanOrEqual(3000 * 1.02);
    expect(Math.min(...prices)).toBeGreaterThanOrEqual(3000 * 0.98);
    expect(Math.max(...prices) - Math.min(...prices)).toBeGreaterThan(3000 * 0.01);
  });

  it('jumps where it is told to, and never to nothing', () => {
    const step = (prices: readonly number[]): number =>
      Math.max(...prices.slice(1).map((price, index) => Math.abs(price / prices[index]! - 1)));
    expect(step(path({ ...simulation, jumpBps: 1000 }))).toBeGreaterThan(0.08);
    expect(step(path(simulation))).toBeLessThan(0.02);
    expect(Math.min(...path({ ...simulation, volatilityBps: 9000, jumpBps: 5000 }))).toBeGreaterThan(0);
  });
});
