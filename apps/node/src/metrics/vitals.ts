import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { ThreadVitals } from './standingMetrics.ts';

/** What the calling thread takes. Nothing is measured between two calls. */
export function readVitals(): ThreadVitals {
  const { active } = performance.eventLoopUtilization();
  const {
    used_heap_size: heapBytes,
    heap_size_limit: heapLimitBytes,
    external_memory: externalBytes,
  } = getHeapStatistics();
  return { heapBytes, heapLimitBytes, externalBytes, busySeconds: active / 1000 };
}
