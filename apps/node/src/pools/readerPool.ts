import type { ReaderBackend } from '@prime/gateway';
import { errorFromObject } from '@prime/primitives';
import { Piscina } from 'piscina';
import { NodeError } from '../errors.ts';
import { youngHeap } from '../v8/collector.ts';
import { type BatchAnswers, CallBatches } from './callBatches.ts';
import { JobQueue, type Lane } from './jobQueue.ts';
import type { CallsTask, ReaderAnswer, ReaderMethod, ReaderTask } from './reader.worker.ts';
import type { ReaderData } from '../readers/reader.ts';
import { workerFile } from '../workerFile.ts';

/** Threads that read state and history for JSON-RPC, each with databases and an EVM of its own. */
export interface ReaderPool {
  readonly backend: ReaderBackend;
  /** Starts the threads, so that the first real question does not wait for them. */
  warm(): void;
  close(): Promise<void>;
}

/** How many threads read, and how long a question waits for one; beyond that it is refused. */
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
const ownWorker = workerFile('pools/reader.worker.js');

/** What a reader answers, and whether it may take long. */
const lanes: Readonly<Record<ReaderMethod, Lane>> = {
  block: 'light',
  receipts: 'light',
  blockEvents: 'light',
  actionResults: 'light',
  validators: 'light',
  location: 'light',
  endedOrder: 'light',
  candles: 'heavy',
  accountPlaces: 'heavy',
  accountEvents: 'heavy',
  accountOrders: 'heavy',
  commits: 'heavy',
  logs: 'heavy',
  events: 'heavy',
  account: 'light',
  code: 'light',
  storage: 'light',
  proof: 'light',
  bookParameters: 'heavy',
  call: 'heavy',
  estimateGas: 'heavy',
  traceTransaction: 'heavy',
  traceBlock: 'heavy',
  traceCall: 'heavy',
  accessList: 'heavy',
  simulate: 'heavy',
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
    // While the first reader loads, its work can not be late yet.
    waitMs: () => (answered ? waitMs : Math.max(waitMs, loadMsMax)),
    refuse: () => new NodeError('too many reads wait, try again later', { code: 'READER_BUSY', limit: queueMax }),
  });
  let answered = false;
  // Started late: while a node starts, its processors have more urgent things to load.
  let pool: Piscina | null = null;
  const started = (): Piscina =>
    (pool ??= new Piscina({
      filename: worker.href,
      name: 'read',
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: youngHeap('small'),
      workerData: data,
    }));
  /** Has a reader carry out a task with one of its functions. */
  const send = async <T>(name: 'read' | 'readCalls', method: ReaderMethod, work: object): Promise<T> => {
    const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const run = (signal: AbortSignal) => started().run({ ...work, begun }, { signal, name }) as Promise<T>;
    const answer = await withDeadline(method, run, begun, timeoutOf(method));
    answered = true;
    return answer;
  };
  const ask = async (method: ReaderMethod, args: readonly unknown[]): Promise<unknown> => {
    const work: Omit<ReaderTask, 'begun'> = { method, args };
    const answer = await queue.run(lanes[method], () => send<ReaderAnswer>('read', method, work));
    if ('error' in answer) throw errorFromObject(answer.error);
    return answer.value;
  };
  const batches = new CallBatches({
    queue,
    run: (calls, claims) => {
      const work: Omit<CallsTask, 'begun'> = { calls, claims };
      return send<BatchAnswers>('readCalls', 'call', work);
    },
  });
  const backend = {
    ...Object.fromEntries(
      Object.keys(lanes).map((method) => [method, (...args: readonly unknown[]) => ask(method as ReaderMethod, args)]),
    ),
    call: (...args: readonly unknown[]) => batches.call(args),
  } as unknown as ReaderBackend;
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

/** How often to look whether a reader has begun, ms; a question may have so much more than its time. */
const beginCheckMs = 50;
/** A thread that has not loaded by then never will, ms. */
const loadMsMax = 120_000;

/**
 * Ends a question, and its thread, when it takes too long. Only the reader's own time counts: a thread that took the place of
 * another one has to load first, and on a busy machine that takes longer than most questions.
 */
async function withDeadline<T>(
  method: string,
  run: (signal: AbortSignal) => Promise<T>,
  begun: Int32Array,
  timeoutMs: number,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const loadedBy = performance.now() + loadMsMax;
  let timer: NodeJS.Timeout;
  const watch = (): void => {
    if (Atomics.load(begun, 0) === 1) timer = setTimeout(abort, timeoutMs);
    else if (performance.now() < loadedBy) timer = setTimeout(watch, beginCheckMs);
    else abort();
  };
  timer = setTimeout(watch, beginCheckMs);
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
