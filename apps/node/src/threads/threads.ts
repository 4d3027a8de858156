import { type MessagePort, Worker } from 'node:worker_threads';
import { PrimeError } from '@prime/primitives';
import { NodeError } from '../errors.ts';
import type { ThreadRequest } from '../operator/requests.ts';
import type { FromThread, OperatorOutcome, ToThread } from './protocols.ts';
import type { ThreadVitals } from '../metrics/standingMetrics.ts';
import type { ThreadFault } from './threadFault.ts';
import type { ThreadData } from './threadData.ts';
import type { ThreadName } from './topology.ts';
import { workerFile } from '../workerFile.ts';

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
  transferList: readonly MessagePort[],
  onFatal: (error: ThreadError) => void,
): Thread {
  if (name === 'gateway') process.env[httpHeadBytes.variable] ??= httpHeadBytes.usual;
  const worker = new Worker(workerFile(`threads/${name}.worker.js`), {
    workerData: data,
    name,
    transferList: [...transferList],
  });
  const waiting = new Map<FromThread['kind'], (message: FromThread) => void>();
  const statuses = openQuestions<ThreadAnswer>();
  const operations = openQuestions<OperatorOutcome>();
  let stopping = false;
  let failed = false;
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  const fail = (code: string, message: string, stack: string | null): void => {
    if (failed) return;
    failed = true;
    onFatal(new ThreadError(`${name}: ${message}`, { code, thread: name }, { cause: stack }));
  };
  const expect = (kind: FromThread['kind']): Promise<FromThread> =>
    new Promise((resolve) => waiting.set(kind, resolve));
  const tell = (message: ToThread): void => worker.postMessage(message);
  const opened = expect('opened').then((message) => (message.kind === 'opened' ? message.nativeId : null));

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'fatal') return fail(message.code, message.message, message.stack);
    if (message.kind === 'status') return statuses.answer(message.id, message);
    if (message.kind === 'operated') return operations.answer(message.id, message.outcome);
    waiting.get(message.kind)?.(message);
    waiting.delete(message.kind);
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
      const message = await started;
      return message.kind === 'started' ? message.info : {};
    },
    status: () => statuses.ask((id) => tell({ kind: 'status', id })),
    async operate(request) {
      const outcome = await operations.ask((id) => tell({ kind: 'operate', id, request }));
      if ('refusal' in outcome) throw new NodeError(outcome.message, outcome.refusal);
      return outcome.result;
    },
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

/** Questions to a thread that are not answered yet. */
function openQuestions<Answer>(): {
  /** @param tell sends the question with its number */
  ask(tell: (id: number) => void): Promise<Answer>;
  answer(id: number, answer: Answer): void;
} {
  const open = new Map<number, (answer: Answer) => void>();
  let nextId = 1;
  return {
    ask: (tell) =>
      new Promise((resolve) => {
        const id = nextId++;
        open.set(id, resolve);
        tell(id);
      }),
    answer(id, answer) {
      open.get(id)?.(answer);
      open.delete(id);
    },
  };
}
