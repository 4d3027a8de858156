import { type MessagePort, Worker } from 'node:worker_threads';
import { PrimeError } from '@prime/primitives';
import { NodeError } from '../errors.ts';
import type { ThreadRequest } from '../operator/requests.ts';
import type { FromThread, ToThread } from './protocols.ts';
import type { ThreadVitals } from '../metrics/standingMetrics.ts';
import type { ThreadFault } from './threadFault.ts';
import type { ThreadData } from './threadData.ts';
import type { ThreadName } from './topology.ts';
import { workerFile } from '../workerFile.ts';
import { youngHeap } from '../v8/collector.ts';

/** A thread, or one of its helpers, could not go on; its own error code decides the exit code of the process. */
export class ThreadError extends PrimeError<{ readonly code: string; readonly thread: string }> {}

/**
 * Bytes that the head of an HTTP request may have; uWebSockets.js 20.57 reads it from the environment of the process when it is loaded, which only
 * the main thread can write. Proxies send up to 8 KB.
 */
const httpHeadBytes = { variable: 'UWS_HTTP_MAX_HEADERS_SIZE', usual: '16384' } as const;

/** What a thread says of itself: for people, and for metrics. */
export interface ThreadAnswer {
  readonly status: unknown;
  readonly vitals: ThreadVitals;
}

/** A worker thread as the supervisor holds it. */
export interface Thread {
  readonly name: ThreadName;
  /** Resolves when the thread's links are open, with the system's number of the thread; null where the system does not tell. */
  readonly opened: Promise<number | null>;
  start(): Promise<Readonly<Record<string, string | number>>>;
  status(): Promise<ThreadAnswer>;
  /** Carries out what an operator asks. @throws NodeError when the thread refuses */
  operate(request: ThreadRequest): Promise<unknown>;
  /** Tests only. */
  fail(how: ThreadFault): void;
  /** Resolves when the thread has finished and is gone. */
  stop(): Promise<void>;
  /** Ends the thread without finishing its work; resolves when it is gone. */
  halt(): Promise<void>;
}

/** Spawns a thread. `onFatal` is called at most once, for a failure or an end that nobody asked for. */
export function spawnThread(
  name: ThreadName,
  data: ThreadData,
  transferList: MessagePort[],
  onFatal: (error: ThreadError) => void,
): Thread {
  if (name === 'gateway') process.env[httpHeadBytes.variable] ??= httpHeadBytes.usual;
  const resourceLimits = youngHeap(name === 'gateway' ? 'small' : 'large');
  const file = workerFile(`threads/${name}.worker.js`);
  const worker = new Worker(file, { workerData: data, name, transferList, resourceLimits });
  /** Who waits for a message, by its kind, or for the outcome of a request, by its id. */
  const waiting = new Map<FromThread['kind'] | number, (message: never) => void>();
  let nextId = 1;
  let stopping = false;
  let failed = false;
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  const fail = (code: string, message: string, stack: string | null): void => {
    if (failed) return;
    failed = true;
    onFatal(new ThreadError(`${name}: ${message}`, { code, thread: name }, { cause: stack }));
  };
  const expect = <Kind extends FromThread['kind']>(
    kind: Kind,
    key: Kind | number = kind,
  ): Promise<FromThread & { readonly kind: Kind }> => new Promise((resolve) => waiting.set(key, resolve));
  const tell = (message: ToThread): void => worker.postMessage(message);
  const opened = expect('opened').then(({ nativeId }) => nativeId);
  const operate = async (request: ThreadRequest): Promise<unknown> => {
    const id = nextId++;
    const operated = expect('operated', id);
    tell({ kind: 'operate', id, request });
    const { outcome } = await operated;
    if ('refusal' in outcome) throw new NodeError(outcome.message, outcome.refusal);
    return outcome.result;
  };

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'fatal') return fail(message.code, message.message, message.stack);
    const key = message.kind === 'operated' ? message.id : message.kind;
    waiting.get(key)?.(message as never);
    waiting.delete(key);
    return undefined;
  });
  worker.on('error', (error) => fail('THREAD_FAILED', error.message, error.stack ?? null));
  worker.on('exit', (code) => {
    if (!stopping) fail('THREAD_ENDED', `the thread ended with ${code}`, null);
  });

  return {
    name,
    opened,
    async start() {
      const started = expect('started');
      tell({ kind: 'start' });
      return (await started).info;
    },
    status: async () => (await operate({ kind: 'status' })) as ThreadAnswer,
    operate,
    fail: (how) => tell({ kind: 'fail', how }),
    async stop() {
      if (!stopping) tell({ kind: 'stop' });
      stopping = true;
      await gone;
    },
    async halt() {
      stopping = true;
      // Threads that end in no order miss each other: that is no failure any more.
      failed = true;
      tell({ kind: 'halt' });
      await gone;
    },
  };
}
