import type { ReaderBackend } from '@prime/gateway';
import { errorFromObject } from '@prime/primitives';
import { Piscina } from 'piscina';
import { NodeError } from './errors.ts';
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
  /** Questions that may wait for a free reader; beyond these the caller is told to come back. Default 4096. */
  readonly queueMax?: number;
  /**
   * A reader ends its own calls in time; one that does not come back so much later is ended with its thread, ms. Default 2000.
   */
  readonly graceMs?: number;
  /** Module of the readers; default is the own one. */
  readonly worker?: URL;
}

const defaultQueueMax = 4096;
const defaultGraceMs = 2_000;
const ownWorker = new URL('./pools/reader.worker.js', import.meta.url);

const methods: readonly ReaderMethod[] = [
  'block',
  'receipts',
  'blockEvents',
  'actionResults',
  'location',
  'logs',
  'events',
  'account',
  'code',
  'storage',
  'proof',
  'call',
  'estimateGas',
];

/**
 * Threads that answer what the gateway has not in memory: history, and calls on a fixed state root. A question that runs over its
 * time costs its thread, which is replaced.
 *
 * Its methods throw what the readers throw, and NodeError `READER_TIMEOUT`, `READER_BUSY`.
 */
export function createReaderPool(options: ReaderPoolOptions): ReaderPool {
  const { threads, data, queueMax = defaultQueueMax, graceMs = defaultGraceMs, worker = ownWorker } = options;
  const timeoutMs = data.timeoutMs + graceMs;
  // Started late: while a node starts, its processors have more urgent things to load.
  let pool: Piscina | null = null;
  const started = (): Piscina =>
    (pool ??= new Piscina({
      filename: worker.href,
      name: 'read',
      minThreads: threads,
      maxThreads: threads,
      maxQueue: queueMax,
      workerData: data,
    }));
  const ask = async (method: ReaderMethod, args: readonly unknown[]): Promise<unknown> => {
    const readers = started();
    if (readers.queueSize >= queueMax)
      throw new NodeError(`${queueMax} reads wait already`, { code: 'READER_BUSY', limit: queueMax });
    const task: ReaderTask = { method, args };
    const answer = await withTimeout(
      method,
      (signal) => readers.run(task, { signal }) as Promise<ReaderAnswer>,
      timeoutMs,
    );
    if ('error' in answer) throw errorFromObject(answer.error);
    return answer.value;
  };
  const backend = Object.fromEntries(
    methods.map((method) => [method, (...args: readonly unknown[]) => ask(method, args)]),
  ) as unknown as ReaderBackend;
  return {
    backend,
    warm: () => {
      started();
    },
    close: async () => {
      await pool?.destroy();
    },
  };
}

/** Time in the queue counts too: an answer that comes late is of no use to its caller. */
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
