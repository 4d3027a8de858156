import { CliError } from '../errors.ts';

/** A request had no whole answer when its time was over. */
class LateAnswerError extends Error {
  override name = 'LateAnswerError';
  /** ms */
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`no whole answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/**
 * How long a command waits for a whole answer where nothing else is said, ms. Longer than a node waits for a block in one call. The
 * first read after a node's start waits until its readers are loaded, as well.
 */
const answerMsMax = 30_000;

/** Aborts after the time with a `LateAnswerError`; does not keep the process alive. @param timeoutMs ms */
export function answerDeadline(timeoutMs = answerMsMax): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new LateAnswerError(timeoutMs)), timeoutMs).unref();
  return controller.signal;
}

/** `CLI_UNREACHABLE`, with the reason: an operator does one thing about a node that is not there, and another about one that is busy. */
export const noAnswer = (url: string, cause: unknown, program = 'node'): CliError =>
  new CliError(`no answer from ${url}${reasonOf(cause, program)}`, { code: 'CLI_UNREACHABLE', url }, { cause });

function reasonOf(thrown: unknown, program: string): string {
  const chain = causesOf(thrown);
  const late = chain.find((cause) => cause instanceof LateAnswerError);
  if (late !== undefined) return ` within ${late.timeoutMs / 1000} s: the ${program} is busy or stopped`;
  if (chain.some(({ code }) => code === 'ECONNREFUSED')) return `: nothing listens there; is the ${program} running?`;
  return `: ${chain.at(-1)?.message ?? String(thrown)}; is a ${program} running there?`;
}

/** From the outermost to the one that all began with. Not by class: those of `fetch` may be of another realm. */
function causesOf(thrown: unknown): readonly NodeJS.ErrnoException[] {
  const chain: NodeJS.ErrnoException[] = [];
  for (let cause = thrown; typeof cause === 'object' && cause !== null && 'message' in cause; ) {
    const error = cause as NodeJS.ErrnoException;
    chain.push(error);
    cause = error.cause;
  }
  return chain;
}
