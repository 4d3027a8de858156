import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';

/** Niceness of all threads of this process: field 19 of /proc/self/task/<tid>/stat. */
const niceness = (): number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
  });

describe('standBack', () => {
  it('changes the calling thread and no other, on Linux', async () => {
    // Elsewhere there is no niceness of a thread to look at, and nothing is done.
    if (platform() !== 'linux') return;
    const before = niceness().filter((nice) => nice === 7).length;
    const source = `
      import { parentPort } from 'node:worker_threads';
      const { standBack } = await import(${JSON.stringify(new URL('./priority.js', import.meta.url).href)});
      standBack(7);
      parentPort.postMessage('done');
      setInterval(() => undefined, 1000);`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
    await new Promise((resolve) => worker.once('message', resolve));
    expect(niceness().filter((nice) => nice === 7).length).toBe(before + 1);
    await worker.terminate();
  });
});
