import { totalmem } from 'node:os';
import { countOpenFiles, openFilesLimit } from '../gateway/openFiles.ts';
import { clientVersion } from '../version.ts';
import { counter, gauge, type StandingMetric } from './standing.ts';

/** What the process takes of the machine. */
export interface ProcessStanding {
  /** Seconds since 1970. */
  readonly startSeconds: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** What it may have of the machine: of its container, else of the machine. */
  readonly memoryLimitBytes: number;
  /** Without those that are held back from callers; null where the system does not tell. */
  readonly openFiles: number | null;
  /** null where there is none, or the system does not tell. */
  readonly openFilesLimit: number | null;
}

/** What the process takes. @param filesHeldBack of its open files, how many are held back from callers */
export function readProcess(filesHeldBack = 0): ProcessStanding {
  const { user, system } = process.cpuUsage();
  const openFiles = countOpenFiles();
  return {
    startSeconds: performance.timeOrigin / 1000,
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    memoryLimitBytes: memoryLimit(),
    openFiles: openFiles === null ? null : openFiles - filesHeldBack,
    openFilesLimit: openFilesLimit(),
  };
}

/** Where there is no limit, systems tell one that is larger than any machine, or 0. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** What every Prime process tells of itself, by the names that Prometheus has for it. */
export const processMetrics: readonly StandingMetric<{ readonly process: ProcessStanding }>[] = [
  gauge(
    'process_start_time_seconds',
    'When the process was started, seconds since 1970.',
    (own) => own.process.startSeconds,
  ),
  counter(
    'process_cpu_seconds_total',
    'Processor time of the process, user and system.',
    (own) => own.process.cpuSeconds,
  ),
  gauge(
    'process_resident_memory_bytes',
    'Memory of the process that is in RAM (RSS).',
    (own) => own.process.residentBytes,
  ),
  gauge(
    'process_open_fds',
    'Files and connections that the process has open, without those that a node holds back from callers.',
    (own) => own.process.openFiles,
  ),
  gauge(
    'process_max_fds',
    'How many it may have open; callers of a node wait from a quarter of it on.',
    (own) => own.process.openFilesLimit,
  ),
  gauge(
    'prime_memory_limit_bytes',
    'Memory that the process may take: of its container, else all of the machine.',
    (own) => own.process.memoryLimitBytes,
  ),
  {
    name: 'prime_build_info',
    type: 'gauge',
    help: 'Always 1: the program, and the Node.js that it runs on.',
    labelNames: ['program', 'node'],
    read: () => [{ labels: { program: clientVersion, node: process.version }, value: 1 }],
  },
];
