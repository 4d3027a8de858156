import { parentPort, workerData } from 'node:worker_threads';
import { assert, toErrorObject } from '@prime/primitives';
import { NodeError } from '../errors.ts';
import { countLogLinesIn } from '../logging.ts';
import { isLogRequest, ownLogLevels } from '../operator/logDesk.ts';
import type { LogRequest, ThreadRequest } from '../operator/requests.ts';
import type { FromThread, OperatorOutcome, ToThread } from './protocols.ts';
import type { Stamper } from '../stages/stamper.ts';
import { failAs } from './threadFault.ts';
import { nativeThreadId } from './threadCpu.ts';
import type { ThreadData } from './threadData.ts';
import { readVitals } from '../metrics/vitals.ts';

/** What a thread itself carries out. */
export type ThreadOperation = Exclude<ThreadRequest, LogRequest | { readonly kind: 'stampInto' | 'status' }>;

/** What a thread is to the supervisor once it is wired. */
export interface ThreadParts {
  /** Begins to do its work; the links of all threads are open by then. */
  start(): Promise<Readonly<Record<string, string | number>>>;
  /** Finishes what is under way and closes everything. Called once. */
  stop(): Promise<void>;
  /** Lets go of what would abort the process if the thread just ended: native sockets, threads that run native code. */
  halt?(): Promise<void>;
  /** A snapshot for the admin endpoint, plain data. */
  status(): unknown;
  /** Carries out what an operator asks; plain data. @throws NodeError for what is refused: nothing changed */
  operate?(request: ThreadOperation): Promise<unknown>;
  /** Of a thread that stamps stages. */
  readonly stamper?: Stamper;
}

/** What a thread is wired with, and its way to the supervisor. */
export interface ThreadContext {
  readonly data: ThreadData;
  /** Ends the process: a node with a dead part is worse than none. */
  readonly fatal: (error: unknown) => void;
  readonly report: (message: FromThread) => void;
}

/** Life of a worker thread: wire, start, stop, on the supervisor's word. Any failure is reported as fatal. */
export function runThread(wire: (context: ThreadContext) => Promise<ThreadParts>): void {
  const port = parentPort;
  assert(port !== null, 'a thread entry was loaded outside of a worker');
  const report = (message: FromThread): void => port.postMessage(message);
  const fatal = (error: unknown): void => {
    const { code, message } = toErrorObject(error);
    const systemCode = (error as { code?: unknown } | null)?.code;
    const stack = (error as { stack?: string } | null)?.stack ?? null;
    report({ kind: 'fatal', code: typeof systemCode === 'string' ? systemCode : code, message, stack });
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
  const data = workerData as ThreadData;
  countLogLinesIn(data.logLines);
  const wired = wire({ data, fatal, report });
  wired.then(() => report({ kind: 'opened', nativeId: nativeThreadId() })).catch(fatal);
  port.on('message', (message: ToThread) => {
    if (message.kind === 'halt') return halt(wired);
    if (message.kind === 'fail') return failAs(message.how);
    obey(message, wired, report, () => port.close()).catch(fatal);
    return undefined;
  });
}

/** Only the thread ends: in a worker that is what `process.exit` does. */
function halt(wired: Promise<ThreadParts>): void {
  // Native handles that were closed are gone with the next turn of the event loop.
  const end = (): unknown => setImmediate(() => setImmediate(() => process.exit()));
  wired.then((parts) => parts.halt?.()).then(end, end);
}

async function operate(parts: ThreadParts, request: ThreadRequest): Promise<OperatorOutcome> {
  if (isLogRequest(request)) return { result: ownLogLevels(request) };
  if (request.kind === 'status') return { result: { status: parts.status(), vitals: readVitals() } };
  if (request.kind === 'stampInto') {
    parts.stamper?.use(request.ring);
    return { result: null };
  }
  assert(parts.operate !== undefined, `this thread carries out no ${request.kind}`);
  try {
    return { result: await parts.operate(request) };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { refusal: error.detail, message: error.message };
  }
}

async function obey(
  message: Exclude<ToThread, { readonly kind: 'halt' | 'fail' }>,
  wired: Promise<ThreadParts>,
  report: (message: FromThread) => void,
  close: () => void,
): Promise<void> {
  const parts = await wired;
  if (message.kind === 'start') report({ kind: 'started', info: await parts.start() });
  else if (message.kind === 'operate')
    report({ kind: 'operated', id: message.id, outcome: await operate(parts, message.request) });
  else {
    await parts.stop();
    report({ kind: 'stopped' });
    close();
  }
}
