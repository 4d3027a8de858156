import { totalmem } from 'node:os';
import type { LabelledMetric, LabelledValue } from '@prime/telemetry';
import { countOpenFiles, openFilesLimit } from '../gateway/openFiles.ts';
import { clientVersion } from '../version.ts';

/** What the process takes of the machine. */
export interface ProcessStanding {
  /** Seconds since 1970. */
  readonly startSeconds: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** What it may have of the machine: of its container, else of the machine. */
  readonly memoryLimitBytes: number;
  /** null where the system does not tell. */
  readonly openFiles: number | null;
  /** null where there is none, or the system does not tell. */
  readonly openFilesLimit: number | null;
}

/** What the process takes. */
export function readProcess(): ProcessStanding {
  const { user, system } = process.cpuUsage();
  return {
    startSeconds: performance.timeOrigin / 1000,
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    memoryLimitBytes: memoryLimit(),
    openFiles: countOpenFiles(),
    openFilesLimit: openFilesLimit(),
  };
}

/** Where there is no limit, systems tell one that is larger than any machine, or 0. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

interface ProcessMetric extends Omit<LabelledMetric, 'read'> {
  readonly read: (standing: { readonly process: ProcessStanding }) => readonly LabelledValue[];
}

const of = (
  name: string,
  type: LabelledMetric['type'],
  help: string,
  value: (standing: ProcessStanding) => number | null,
): ProcessMetric => ({
  name,
  type,
  help,
  labelNames: [],
  read(standing) {
    const found = value(standing.process);
    return found === null ? [] : [{ labels: {}, value: found }];
  },
});

/** What every Prime process tells of itself, by the names that Prometheus has for it. */
export const processMetrics: readonly ProcessMetric[] = [
  of(
    'process_start_time_seconds',
    'gauge',
    'When the process was started, seconds since 1970.',
    (own) => own.startSeconds,
  ),
  of(
    'process_cpu_seconds_total',
    'counter',
    'Processor time of the process, user and system.',
    (own) => own.cpuSeconds,
  ),
  of(
    'process_resident_memory_bytes',
    'gauge',
    'Memory of the process that is in RAM (RSS).',
    (own) => own.residentBytes,
  ),
  of('process_open_fds', 'gauge', 'Files and connections that the process has open.', (own) => own.openFiles),
  of(
    'process_max_fds',
    'gauge',
    'How many it may have open; callers of a node wait from a quarter of it on.',
    (own) => own.openFilesLimit,
  ),
  of(
    'prime_memory_limit_bytes',
    'gauge',
    'Memory that the process may take: of its container, else all of the machine.',
    (own) => own.memoryLimitBytes,
  ),
  {
    name: 'prime_build_info',
    type: 'gauge',
    help: 'Always 1: the program, and the Node.js that it runs on.',
    labelNames: ['program', 'node'],
    read: () => [{ labels: { program: clientVersion, node: process.version }, value: 1 }],
  },
];
