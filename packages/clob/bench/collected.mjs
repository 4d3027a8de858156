import { setTimeout } from 'node:timers/promises';

/**
 * Collects all garbage, of a process that runs with `--expose-gc`, and waits until the collector's threads are done: their processor time is none of what
 * follows.
 */
export async function collected() {
  globalThis.gc();
  for (;;) {
    const before = process.cpuUsage();
    await setTimeout(idleMs);
    const { user, system } = process.cpuUsage(before);
    if (user + system < idleMs * busyMax * 1000) return;
  }
}
const idleMs = 3;
/** Of the processor, by a process that only waits. */
const busyMax = 0.2;
