import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import {
  beginWithRoom,
  collectEarly,
  collectNothingAtRest,
  growByHalf,
  keepIdleHeaps,
  roomyHeaps,
  scavengeAlone,
  spareHelpers,
  youngHeap,
} from './collector.ts';

describe('helpers of the collector', () => {
  it('are off where every processor has a thread of the node to run, and on where there are more', () => {
    const flags: string[] = [];
    const set = (flag: string): void => void flags.push(flag);
    expect([1, 2, 4].map((processors) => spareHelpers(processors, set))).toEqual([true, true, true]);
    expect(flags).toEqual([scavengeAlone, scavengeAlone, scavengeAlone]);
    expect([5, 64].map((processors) => spareHelpers(processors, set))).toEqual([false, false]);
    expect(flags).toHaveLength(3);
  });

  it.each([scavengeAlone, keepIdleHeaps])(
    'V8 knows %s: set late, an unknown one would change nothing and say nothing',
    (known) => {
      const run = (flag: string): string =>
        execFileSync(process.execPath, [flag, '-p', '1 + 1'], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      expect(run(known).trim()).toBe('2');
      expect(() => run(`${known}-of-nobody`)).toThrow(/Command failed/);
    },
  );
});

describe('heaps of threads', () => {
  it('grow by half of what lives, also those of threads that run already', () => {
    const flags: string[] = [];
    collectEarly((flag) => void flags.push(flag));
    expect(flags).toEqual([growByHalf]);
    // 300 MB pass through a ring of 60 MB: the heap in use, at most.
    const program = `
      const { setFlagsFromString } = require('node:v8');
      new (require('node:worker_threads').Worker)(\`
        const { getHeapStatistics } = require('node:v8');
        require('node:worker_threads').parentPort.once('message', () => {
          const ring = [];
          let most = 0;
          for (let i = 0; i < 300_000; i++) {
            ring[i % 60_000] = Array.from({ length: 120 }, () => i);
            if (i % 1000 === 0) most = Math.max(most, getHeapStatistics().used_heap_size);
          }
          console.log(most);
        });
      \`, { eval: true }).postMessage(process.argv[1] === 'early' && setFlagsFromString(${JSON.stringify(growByHalf)}));`;
    const mostBytes = (...args: string[]): number =>
      Number(execFileSync(process.execPath, ['-e', program, ...args], { encoding: 'utf8' }));
    expect(mostBytes('early') * 1.2).toBeLessThan(mostBytes());
  });

  it('are not collected because a thread rests', () => {
    const flags: string[] = [];
    collectNothingAtRest((flag) => void flags.push(flag));
    expect(flags).toEqual([keepIdleHeaps]);
  });

  it.each([
    ['large', 8],
    ['small', 4],
  ] as const)('have %s halves of %i MiB for young objects at most', (size, mebibytes) => {
    const program = `
      const { setFlagsFromString } = require('node:v8');
      const { Worker } = require('node:worker_threads');
      for (const flag of ${JSON.stringify(roomyHeaps)}) setFlagsFromString(flag);
      new Worker(\`
        const { getHeapSpaceStatistics } = require('node:v8');
        const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
        let [kept, most] = [[], 0];
        for (let i = 0; i < 2_000_000; i++) {
          kept = kept.length < 200_000 ? kept : [];
          kept.push({ i });
          if (i % 20_000 === 0) most = Math.max(most, young());
        }
        console.log(most);
      \`, { eval: true, resourceLimits: ${JSON.stringify(youngHeap(size))} });`;
    const most = Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
    expect(most / 2 ** 20).toBe(2 * mebibytes);
  });

  it('begin large, in threads that are made after it', () => {
    const flags: string[] = [];
    beginWithRoom((flag) => void flags.push(flag));
    expect(flags).toEqual(roomyHeaps);
    const program = `
      const { setFlagsFromString } = require('node:v8');
      const { Worker } = require('node:worker_threads');
      if (process.argv[1] === 'roomy') for (const flag of ${JSON.stringify(roomyHeaps)}) setFlagsFromString(flag);
      new Worker('const kept = []; for (let i = 0; i < 200_000; i++) kept.push({ i, list: [i] });', { eval: true });`;
    const collections = (...args: string[]): number =>
      execFileSync(process.execPath, ['--trace-gc', '-e', program, ...args], { encoding: 'utf8' }).split(
        /Scavenge|Mark-Compact/,
      ).length - 1;
    expect(collections('roomy') * 1.5).toBeLessThan(collections());
  });
});
