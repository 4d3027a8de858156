import { MethodNotFoundError, type PrimeClient } from '@prime/sdk';

/** Nobody answered a call, or not in JSON-RPC. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly kind: 'unreachable' | 'malformed';
  readonly method: string;

  constructor(kind: NoAnswer['kind'], method: string, message: string) {
    super(message);
    this.kind = kind;
    this.method = method;
  }
}

/** The node said no. The actions of the SDK make errors of their own of it. */
class RpcRefusal extends Error {
  // The word by which the SDK knows what a node answered.
  override name = 'RpcRequestError';
  readonly kind = 'refused';
  readonly method: string;
  /** The node's; 0 where it gave none. */
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, message: string, code: number, data: unknown) {
    super(message);
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

type Failure = NoAnswer | RpcRefusal;

/** Where calls go, and who hears of them. */
export interface RpcClientOptions {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Until a batch is answered, ms. */
  readonly timeoutMs?: number;
  /** Told of each call when it ends, for a log. */
  readonly onCall?: (call: EndedCall) => void;
}

/** A call that has its answer, or will get none. */
export interface EndedCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly tookMs: number;
  readonly outcome: 'answered' | Failure['kind'];
}

interface Waiting {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly sinceMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: Failure) => void;
}

/** JSON-RPC over HTTP; calls of one moment go in one batch. */
export interface RpcClient {
  readonly url: string;
  /** Any method, also one that the SDK does not know. @throws NoAnswer, RpcRefusal */
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  /** For the actions of the SDK, which ask it for nothing but `request`: `getMarkets(client.sdk)`. */
  readonly sdk: PrimeClient;
}

/** A node answers up to 1000 by default; less keeps one slow call from holding back many. */
const batchCallsMax = 40;

/**
 * JSON-RPC over HTTP. Calls of one turn go out in one request.
 */
export function createRpcClient(options: RpcClientOptions): RpcClient {
  const { url } = options;
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let first = 0; first < all.length; first += batchCallsMax)
      void send(options, all.slice(first, first + batchCallsMax));
  };
  const request: RpcClient['request'] = ({ method, params = [] }) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(flush);
      waiting.push({ method, params, sinceMs: performance.now(), resolve, reject });
    });
  return { url, request, sdk: { request } as unknown as PrimeClient };
}

/** Answers every call of a batch, one way or the other. */
async function send(options: RpcClientOptions, calls: readonly Waiting[]): Promise<void> {
  const settle = (call: Waiting, answer: unknown): void => {
    const failure = answer instanceof NoAnswer || answer instanceof RpcRefusal ? answer : null;
    const outcome = failure?.kind ?? 'answered';
    options.onCall?.({ ...call, tookMs: performance.now() - call.sinceMs, outcome });
    if (failure === null) call.resolve(answer);
    else call.reject(failure);
  };
  const answers = await exchange(options, calls);
  for (const [id, call] of calls.entries())
    settle(
      call,
      typeof answers === 'string'
        ? new NoAnswer(answers, call.method, `${options.url} ${failureWords[answers]}.`)
        : resultOf(call.method, answers.get(id)),
    );
}

const failureWords = { unreachable: 'could not be reached', malformed: 'did not answer in JSON-RPC' } as const;

/** Answers by id, or why there are none. */
async function exchange(
  { url, fetch, timeoutMs = 30_000 }: RpcClientOptions,
  calls: readonly Waiting[],
): Promise<ReadonlyMap<unknown, object> | keyof typeof failureWords> {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
    signal: AbortSignal.timeout(timeoutMs),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }).catch(() => null);
  // What stands in front of a node that is away answers in its place.
  if (response === null || response.status === 502 || response.status === 504) return 'unreachable';
  const body: unknown = await response.json().catch(() => null);
  const isAnswer = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const answers = (Array.isArray(body) ? body : [body]).filter(isAnswer);
  const only = answers[0];
  if (only === undefined) return 'malformed';
  // Of a batch that was refused as a whole, or of a request that was not read, the error stands alone and without an id.
  const isForAll = !Array.isArray(body) && 'error' in only && !('id' in only && only.id !== null);
  return isForAll
    ? new Map(calls.map((_, id) => [id, only]))
    : new Map(answers.map((answer) => ['id' in answer ? answer.id : null, answer]));
}

function resultOf(method: string, answer: object | undefined): unknown {
  if (answer !== undefined && 'result' in answer) return answer.result;
  const error = answer !== undefined && 'error' in answer ? answer.error : null;
  if (typeof error !== 'object' || error === null)
    return new NoAnswer('malformed', method, `The node did not answer ${method}.`);
  const { code, message, data } = error as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  };
  return new RpcRefusal(method, String(message), typeof code === 'number' ? code : 0, data);
}

const methodNotFound = -32601;

/** Whether the node does not have a method: one of another version, or that was switched off. */
export const lacksMethod = (error: unknown): boolean =>
  (error instanceof RpcRefusal && error.code === methodNotFound) || error instanceof MethodNotFoundError;

const limitExceeded = -32005;

/** Whether the same call may be answered later: nobody answered it, or the node had no time for it. */
export const mayPass = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof RpcRefusal && error.code === limitExceeded);

/** Whether nobody answered, so that asking again later may help. */
export const isUnreachable = (error: unknown): boolean => error instanceof NoAnswer && error.kind === 'unreachable';
