import { totalmem } from 'node:os';
import { expect, it } from '@jest/globals';
import { readProcess } from './processMetrics.ts';
import { readVitals } from './vitals.ts';

it('a thread says how much of its heap is in use, and how long it was busy so far', async () => {
  const before = readVitals().busySeconds;
  const until = performance.now() + 30;
  while (performance.now() < until);
  // The time of a turn counts when the turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  const { heapBytes, heapLimitBytes, externalBytes, busySeconds } = readVitals();
  expect(heapBytes).toBeGreaterThan(1_000_000);
  expect(heapLimitBytes).toBeGreaterThan(heapBytes);
  expect(externalBytes).toBeGreaterThan(0);
  expect(busySeconds).toBeGreaterThan(before);
});

it('the process says since when it is there, what it has in RAM and may have, and what is open', () => {
  const { startSeconds, cpuSeconds, residentBytes, memoryLimitBytes, openFiles } = readProcess();
  const ageSeconds = Date.now() / 1000 - startSeconds;
  expect(ageSeconds).toBeGreaterThan(0);
  expect(ageSeconds).toBeLessThan(86_400);
  expect(cpuSeconds).toBeGreaterThan(0);
  expect(residentBytes).toBeGreaterThan(10_000_000);
  expect(memoryLimitBytes).toBeGreaterThan(residentBytes);
  expect(memoryLimitBytes).toBeLessThanOrEqual(totalmem());
  expect(openFiles).toBeGreaterThan(2);
});
