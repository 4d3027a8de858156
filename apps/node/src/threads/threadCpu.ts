import { readFileSync, readlinkSync } from 'node:fs';
import type { LabelledValue } from '@prime/telemetry';

/**
 * The system's number of the calling thread; null where it does not tell (proc(5) is Linux). Node has no call for it, and none for the
 * processor time of another thread.
 */
export function nativeThreadId(): number | null {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    return Number.isSafeInteger(id) ? id : null;
  } catch {
    return null;
  }
}

/**
 * Processor time of threads, in seconds; `other` is what the process used beside them: main thread, pools, compiler and garbage collector.
 * A thread without a number, or that is gone, is left out.
 */
export function readThreadCpu(threads: Iterable<readonly [name: string, nativeId: number | null]>): LabelledValue[] {
  const { user, system } = process.cpuUsage();
  let otherSeconds = (user + system) / 1e6;
  const values: LabelledValue[] = [];
  for (const [thread, nativeId] of threads) {
    const seconds = nativeId === null ? null : secondsOf(nativeId);
    if (seconds === null) continue;
    otherSeconds -= seconds;
    values.push({ labels: { thread }, value: seconds });
  }
  return [...values, { labels: { thread: 'other' }, value: Math.max(0, otherSeconds) }];
}

/** The first field of schedstat is the time on a processor, ns. */
function secondsOf(nativeId: number): number | null {
  try {
    return Number(readFileSync(`/proc/self/task/${nativeId}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e9;
  } catch {
    return null;
  }
}
