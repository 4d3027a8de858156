import {
  type DispatchAnswer,
  type Dispatcher,
  type DispatcherHooks,
  type Eventual,
  type JsonRpcError,
  jsonRpcCode,
  type LimitReason,
  overloaded,
  type Refusal,
  type RequestContext,
  type Surface,
  toJsonRpcError,
} from '@prime/rpc';
import { asksForPage } from './frontPage.ts';
import { type Callers, credentialHeaders, rememberCaller } from '../access/callers.ts';
import type { Load } from '../access/loadMonitor.ts';
import type { HeadFault } from './httpFraming.ts';
import type { Decision, HttpAnswer, HttpRefusal, RequestHead } from './httpServer.ts';
import type { HttpServerLimits } from './httpServerOptions.ts';

/** JSON-RPC over HTTP on one surface: which requests are taken, and the answers around the dispatcher's text. */
export interface RpcHttpOptions
  extends Pick<HttpServerLimits, 'bodyBytesMax' | 'requestsMax' | 'bodyTimeoutMs' | 'bodyStallMs'> {
  readonly surface: Surface;
  /** Origins whose pages may call; `*` is any. */
  readonly corsOrigins: readonly string[];
}

/** What answers JSON-RPC over HTTP, shared by all surfaces. */
export interface RpcHttpParts {
  readonly dispatcher: Dispatcher;
  readonly callers: Callers;
  readonly load: Load;
  readonly hooks: DispatcherHooks;
  /** What people see who open the surface in a browser; null where no page may come to it. */
  readonly page: (() => HttpAnswer) | null;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** A request that is taken: who asks, and what its answer has to carry. */
export interface HttpContext {
  readonly request: RequestContext;
  readonly headers: Headers;
}

const json = ['Content-Type', 'application/json'] as const;
const retryAfter = ['Retry-After', '1'] as const;
// The two that nearly every answer has are made once.
const anyOrigin: Headers = [['Access-Control-Allow-Origin', '*']];
const anyOriginJson: Headers = [...anyOrigin, json];
const withJson = (headers: Headers): Headers => (headers === anyOrigin ? anyOriginJson : [...headers, json]);

const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest']);
const decoder = new TextDecoder('utf-8', { fatal: true });

const isJson = (contentType: string): boolean =>
  contentType === json[1] || jsonTypes.has((contentType.split(';')[0] ?? '').trim().toLowerCase());

/** JSON-RPC over HTTP POST on one surface: who may call, from which pages, and with which status an answer goes out. */
export class RpcHttp {
  private readonly parts: RpcHttpParts;
  private readonly options: RpcHttpOptions;

  constructor(parts: RpcHttpParts, options: RpcHttpOptions) {
    this.parts = parts;
    this.options = options;
  }

  /** Only what may hold a request is read, and only from callers who may ask. */
  accept(head: RequestHead): Decision<HttpContext> {
    const { surface } = this.options;
    const origin = head.header('origin');
    const headers = this.corsHeaders(origin);
    const page = asksForPage(head) ? this.parts.page : null;
    const unfit = page === null ? this.unfit(head, origin, headers) : null;
    if (unfit !== null) return { kind: 'answer', answer: unfit };
    if (surface === 'public' && this.parts.load.level() === 'overloaded')
      return { kind: 'answer', answer: this.shed(headers) };
    if (page !== null) return { kind: 'answer', answer: page() };
    try {
      return { kind: 'read', context: { request: this.parts.callers.identify(head, surface, 'http'), headers } };
    } catch (error) {
      const challenge = ['WWW-Authenticate', 'Bearer'] as const;
      const body = errorBody(toJsonRpcError(error));
      return { kind: 'answer', answer: { status: '401 Unauthorized', headers: [...headers, challenge, json], body } };
    }
  }

  /** The answer to what is no JSON-RPC request at all; null for what may be one. */
  private unfit(head: RequestHead, origin: string, headers: Headers): HttpAnswer | null {
    const { method, path } = head;
    if (path !== '/') return this.httpError('404 Not Found', headers, 'requests go to /');
    if (method === 'OPTIONS')
      return { status: '204 No Content', headers: [...headers, ...this.preflight(origin)], body: '' };
    if (method !== 'POST') {
      const allow = ['Allow', 'POST, OPTIONS'] as const;
      return this.httpError('405 Method Not Allowed', [...headers, allow], 'only POST is allowed');
    }
    if (!isJson(head.header('content-type')))
      return this.httpError('415 Unsupported Media Type', headers, 'the content type must be application/json');
    if (this.options.surface === 'operator' && origin !== '' && headers.length === 0)
      return this.httpError('403 Forbidden', headers, 'pages may not call this surface');
    return null;
  }

  handle({ request, headers }: HttpContext, body: ArrayBuffer | Uint8Array): Eventual<HttpAnswer> {
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      const message = 'parse error: the body is not valid UTF-8';
      return ok(headers, errorBody({ code: jsonRpcCode.parseError, message }));
    }
    const answer = this.parts.dispatcher.handle(text, request);
    if (!(answer instanceof Promise)) return answerOf(headers, answer);
    rememberCaller(request);
    return answer.then((late) => answerOf(headers, late));
  }

  /** The answer to what is no request of HTTP. */
  malformed({ status, message, headers }: HeadFault): HttpAnswer {
    return this.httpError(status, headers, message);
  }

  /** Refuses a request before it is read. */
  private shed(headers: Headers): HttpAnswer {
    const { overloadDelayMs } = this.parts.load;
    this.parts.hooks.onLimited?.('overload');
    const error = toJsonRpcError(overloaded('overloadDelayMs', overloadDelayMs, 'the node is overloaded'));
    return refusedAnswer(headers, errorBody(error), { kind: 'overload', retryAfterMs: 1_000 });
  }

  refuse(context: HttpContext, refusal: HttpRefusal): HttpAnswer {
    const { bodyBytesMax, requestsMax, bodyTimeoutMs, bodyStallMs } = this.options;
    const answer = (status: string, limit: string, maximum: number, message: string): HttpAnswer => ({
      status,
      headers: [...context.headers, json, ...(refusal === 'overloaded' ? [retryAfter] : [])],
      body: errorBody({ code: jsonRpcCode.limitExceeded, message, data: { limit, maximum } }),
    });
    this.parts.hooks.onLimited?.(reasons[refusal]);
    switch (refusal) {
      case 'tooLarge': {
        const message = `request body is larger than ${bodyBytesMax} bytes`;
        return answer('413 Payload Too Large', 'bodyBytes', bodyBytesMax, message);
      }
      case 'tooSlow': {
        const message = `request body took longer than ${bodyTimeoutMs} ms`;
        return answer('408 Request Timeout', 'bodyTimeoutMs', bodyTimeoutMs, message);
      }
      case 'stalled': {
        const message = `no byte of the request body came for ${bodyStallMs} ms`;
        return answer('408 Request Timeout', 'bodyStallMs', bodyStallMs, message);
      }
      case 'overloaded':
        return answer('503 Service Unavailable', 'requests', requestsMax, 'too many requests at once');
    }
  }

  private httpError(status: string, headers: Headers, message: string): HttpAnswer {
    return { status, headers: [...headers, json], body: errorBody({ code: jsonRpcCode.invalidRequest, message }) };
  }

  private corsHeaders(origin: string): Headers {
    const { corsOrigins } = this.options;
    if (corsOrigins.includes('*')) return anyOrigin;
    if (origin === '' || !corsOrigins.includes(origin)) return [];
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Vary', 'Origin'],
    ];
  }

  private preflight(origin: string): Headers {
    if (this.corsHeaders(origin).length === 0) return [];
    return [
      ['Access-Control-Allow-Methods', 'POST, OPTIONS'],
      // The wildcard does not stand for Authorization (Fetch, section 3.3.4).
      ['Access-Control-Allow-Headers', ['*', ...credentialHeaders].join(', ')],
      ['Access-Control-Max-Age', '600'],
    ];
  }
}

const reasons = {
  tooLarge: 'size',
  tooSlow: 'slow',
  stalled: 'slow',
  overloaded: 'queue',
} as const satisfies Record<HttpRefusal, LimitReason>;

const errorBody = (error: JsonRpcError): string => JSON.stringify({ jsonrpc: '2.0', id: null, error });

const ok = (headers: Headers, body: string): HttpAnswer => ({ status: '200 OK', headers: withJson(headers), body });

/** A body of notifications only is answered with nothing. */
function answerOf(headers: Headers, answer: DispatchAnswer | null): HttpAnswer {
  if (answer === null) return ok(headers, '');
  return answer.refusal === null ? ok(headers, answer.text) : refusedAnswer(headers, answer.text, answer.refusal);
}

function refusedAnswer(headers: Headers, body: string, { kind, retryAfterMs }: Refusal): HttpAnswer {
  const status = kind === 'rate' ? '429 Too Many Requests' : '503 Service Unavailable';
  return { status, headers: [...headers, json, ['Retry-After', `${Math.ceil(retryAfterMs / 1_000)}`]], body };
}
