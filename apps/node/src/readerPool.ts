import type { ReaderBackend } from '@prime/gateway';
import { errorFromObject } from '@prime/primitives';
import { Piscina } from 'piscina';
import { NodeError } from './errors.ts';
import { JobQueue, type Lane } from './jobQueue.ts';
import type { ReaderAnswer, ReaderMethod, ReaderTask } from './pools/reader.worker.ts';
import type { ReaderData } from './readers/reader.ts';

export interface ReaderPool {
  readonly backend: ReaderBackend;
  /** Starts the threads, so that the first real question does not wait for them. */
  warm(): void;
  close(): Promise<void>;
}

export interface ReaderPoolOptions {
  readonly threads: number;
  readonly data: ReaderData;
  /** Questions that may wait for a free reader; beyond these the caller is told to come back. */
  readonly queueMax: number;
  /** How long a question may wait for a free reader, ms. */
  readonly waitMs: number;
  /**
   * A reader ends its own calls in time; one that does not come back so much later is ended with its thread, ms. Default 2000.
   */
  readonly graceMs?: number;
  /** Module of the readers; default is the own one. */
  readonly worker?: URL;
}

const defaultGraceMs = 2_000;
const ownWorker = new URL('./pools/reader.worker.js', import.meta.url);

/** What a reader answers, and whether it may take long. */
const lanes: Readonly<Record<ReaderMethod, Lane>> = {
  block: 'light',
  receipts: 'light',
  blockEvents: 'light',
  actionResults: 'light',
  location: 'light',
  logs: 'heavy',
  events: 'heavy',
  account: 'light',
  code: 'light',
  storage: 'light',
  proof: 'light',
  call: 'heavy',
  estimateGas: 'heavy',
  traceTransaction: 'heavy',
  traceBlock: 'heavy',
  traceCall: 'heavy',
  accessList: 'heavy',
};
const traces: ReadonlySet<ReaderMethod> = new Set(['traceTransaction', 'traceBlock', 'traceCall']);

/**
 * Threads that answer what the gateway has not in memory: history, and calls on a fixed state root. A question that runs over its
 * time costs its thread, which is replaced.
 *
 * Its methods throw what the readers throw, and NodeError `READER_TIMEOUT`, `READER_BUSY`.
 */
export function createReaderPool(options: ReaderPoolOptions): ReaderPool {
  const { threads, data, queueMax, waitMs, graceMs = defaultGraceMs, worker = ownWorker } = options;
  const timeoutOf = (method: ReaderMethod): number =>
    (traces.has(method) ? data.traceTimeoutMs : data.timeoutMs) + graceMs;
  const queue = new JobQueue({
    slots: threads,
    waitingMax: queueMax,
    waitMs,
    refuse: () => new NodeError('too many reads wait, try again later', { code: 'READER_BUSY', limit: queueMax }),
  });
  // Started late: while a node starts, its processors have more urgent things to load.
  let pool: Piscina | null = null;
  const started = (): Piscina =>
    (pool ??= new Piscina({
      filename: worker.href,
      name: 'read',
      minThreads: threads,
      maxThreads: threads,
      workerData: data,
    }));
  const ask = async (method: ReaderMethod, args: readonly unknown[]): Promise<unknown> => {
    const task: ReaderTask = { method, args };
    const run = (signal: AbortSignal) => started().run(task, { signal }) as Promise<ReaderAnswer>;
    const answer = await queue.run(lanes[method], () => withTimeout(method, run, timeoutOf(method)));
    if ('error' in answer) throw errorFromObject(answer.error);
    return answer.value;
  };
  const backend = Object.fromEntries(
    Object.keys(lanes).map((method) => [method, (...args: readonly unknown[]) => ask(method as ReaderMethod, args)]),
  ) as unknown as ReaderBackend;
  return {
    backend,
    warm: () => {
      started();
    },
    close: async () => {
      queue.close();
      await pool?.destroy();
    },
  };
}

/** Only the time with a reader counts: what waits costs no thread when it is given up. */
async function withTimeout<T>(method: string, run: (signal: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await run(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    throw new NodeError(`execution aborted (timeout = ${timeoutMs} ms)`, {
      code: 'READER_TIMEOUT',
      method,
      timeoutMs,
    });
  } finally {
    clearTimeout(timer);
  }
}
