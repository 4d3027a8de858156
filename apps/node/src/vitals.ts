import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { countOpenFiles, openFilesLimit } from './openFiles.ts';
import type { ProcessStanding, ThreadVitals } from './standingMetrics.ts';

let before = performance.eventLoopUtilization();

/** What the calling thread takes; {@link ThreadVitals.loopBusy} is since the call before. Nothing is measured between two calls. */
export function readVitals(): ThreadVitals {
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, before);
  before = now;
  const {
    used_heap_size: heapBytes,
    heap_size_limit: heapLimitBytes,
    external_memory: externalBytes,
  } = getHeapStatistics();
  return { heapBytes, heapLimitBytes, externalBytes, loopBusy: utilization };
}

/** What the process takes. */
export const readProcess = (): ProcessStanding => ({
  residentBytes: process.memoryUsage.rss(),
  openFiles: countOpenFiles(),
  openFilesLimit: openFilesLimit(),
});
