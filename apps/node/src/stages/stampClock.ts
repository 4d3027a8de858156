/**
 * The one clock of a process for stamps: anchored to the wall clock once, then monotonic, and the same in all threads.
 *
 * From where a worker thread counts `performance.now()` is not the same in all versions: Node 20 counts from the begin of the process, the web from the
 * begin of the worker, whose `timeOrigin` is then what the wall clock said at that time. Threads that began before and after a step of the wall
 * clock would disagree for ever. `process.hrtime` counts from one begin in all threads, so each finds out once how far its own count is from that one.
 */

/** Attempts to read both counts at one moment; the quickest counts. */
const attempts = 16;

const hrtimeUs = (): number => Number(process.hrtime.bigint()) / 1_000;

/** How far `process.hrtime` is ahead of this thread's `performance.now`, µs. */
function threadOffsetUs(): number {
  let best = { gapUs: Number.POSITIVE_INFINITY, offsetUs: 0 };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = hrtimeUs();
    const nowUs = performance.now() * 1_000;
    const after = hrtimeUs();
    if (after - before < best.gapUs) best = { gapUs: after - before, offsetUs: (before + after) / 2 - nowUs };
  }
  return best.offsetUs;
}

/**
 * What all threads of the process add to their count.
 *
 * @param shiftMs added to the wall clock; 0 but in tests of clock skew
 */
export const clockAnchorUs = (shiftMs: number): number =>
  (performance.timeOrigin + performance.now() + shiftMs) * 1_000 - hrtimeUs();

/** @param anchorUs {@link clockAnchorUs} of this process @returns whole µs since 1970 */
export function stampClock(anchorUs: number): () => number {
  const offsetUs = anchorUs + threadOffsetUs();
  return () => Math.round(performance.now() * 1_000 + offsetUs);
}
