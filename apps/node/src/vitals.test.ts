import { expect, it } from '@jest/globals';
import { readProcess, readVitals } from './vitals.ts';

it('a thread says how much of its heap is in use, and how busy it was since it was asked last', () => {
  readVitals();
  const until = performance.now() + 30;
  while (performance.now() < until);
  const { heapBytes, heapLimitBytes, externalBytes, loopBusy } = readVitals();
  expect(heapBytes).toBeGreaterThan(1_000_000);
  expect(heapLimitBytes).toBeGreaterThan(heapBytes);
  expect(externalBytes).toBeGreaterThan(0);
  expect(loopBusy).toBeGreaterThan(0);
  expect(loopBusy).toBeLessThanOrEqual(1);
});

it('the process says what it has in RAM, and what is open', () => {
  const { residentBytes, openFiles } = readProcess();
  expect(residentBytes).toBeGreaterThan(10_000_000);
  expect(openFiles).toBeGreaterThan(2);
});
