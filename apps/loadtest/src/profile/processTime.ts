import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processor time of each thread of a process so far, ns, by the system's number of the thread. */
export type ThreadTimes = ReadonlyMap<number, number>;

/** Why there would be no figures; null where there are some. */
export const whyNoThreadTimes = (): string | null =>
  existsSync('/proc/self/task')
    ? null
    : 'processor time by thread is read from /proc/PID/task, which only Linux has: run this on Linux, or in a container';

/** @throws Error when the process is gone */
export function threadTimes(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`;
  const times = new Map<number, number>();
  for (const task of readdirSync(folder)) {
    const ns = timeOf(join(folder, task));
    if (ns !== null) times.set(Number(task), ns);
  }
  return times;
}

/** Null for a thread that ended meanwhile. The first field of schedstat is the time on a processor, ns. */
function timeOf(task: string): number | null {
  try {
    return Number(readFileSync(join(task, 'schedstat'), 'utf8').split(' ', 1)[0]);
  } catch {
    return null;
  }
}

/** µs that each thread used between two looks; threads that began meanwhile count from zero. */
export const usedBetween = (before: ThreadTimes, after: ThreadTimes): ReadonlyMap<number, number> =>
  new Map([...after].map(([thread, ns]) => [thread, (ns - (before.get(thread) ?? 0)) / 1_000]));
