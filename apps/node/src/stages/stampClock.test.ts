import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { clockAnchorUs, stampClock } from './stampClock.ts';

/** What the worker does: tells what its clock says whenever it is asked. */
const source = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { stampClock } from ${JSON.stringify(new URL('./stampClock.js', import.meta.url).href)};
  const nowUs = stampClock(workerData);
  parentPort.on('message', () => parentPort.postMessage(nowUs()));
  parentPort.postMessage('ready');
`;

describe('the clock of stamps', () => {
  it('is the wall clock in whole µs, shifted where a test says so', () => {
    const before = Date.now();
    const atUs = stampClock(clockAnchorUs(0))();
    const shiftedUs = stampClock(clockAnchorUs(5_000))();
    const after = Date.now();
    expect(Number.isSafeInteger(atUs)).toBe(true);
    // Both are read from one clock, which the wall clock may have left by what it was set since this process began.
    const apartMs = Math.abs(performance.timeOrigin + performance.now() - Date.now()) + 2;
    expect(atUs / 1_000).toBeGreaterThanOrEqual(before - apartMs);
    expect(shiftedUs / 1_000 - 5_000).toBeLessThanOrEqual(after + apartMs);
    expect(shiftedUs - atUs).toBeGreaterThanOrEqual(5_000_000 - 100);
  });

  it('is the same in a thread that began later: what one reads between two readings of the other lies between them', async () => {
    const anchorUs = clockAnchorUs(0);
    const nowUs = stampClock(anchorUs);
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: anchorUs });
    await once(worker, 'message');
    for (let turn = 0; turn < 50; turn++) {
      const before = nowUs();
      worker.postMessage('');
      const [thereUs] = (await once(worker, 'message')) as [number];
      const after = nowUs();
      // Each thread finds its place within a few µs.
      expect(thereUs).toBeGreaterThanOrEqual(before - 50);
      expect(thereUs).toBeLessThanOrEqual(after + 50);
    }
    await worker.terminate();
  });
});
