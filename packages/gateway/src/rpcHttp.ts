import {
  type Client,
  type Dispatcher,
  type JsonRpcError,
  jsonRpcCode,
  type RequestContext,
  type Surface,
} from '@prime/rpc';
import type { Decision, HttpAnswer, HttpRefusal, RequestHead } from './httpServer.ts';

/** JSON-RPC over HTTP on one surface: which requests are taken, and the answers around the dispatcher's text. */
export interface RpcHttpOptions {
  readonly surface: Surface;
  /** Origins whose pages may call; `*` is any. */
  readonly corsOrigins: readonly string[];
  readonly bodyBytesMax: number;
  readonly requestsMax: number;
  readonly bodyTimeoutMs: number;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** A request that is taken: who asks, and what its answer has to carry. */
export interface HttpContext {
  readonly request: RequestContext;
  readonly headers: Headers;
}

const jsonTypes: ReadonlySet<string> = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest']);
const decoder = new TextDecoder('utf-8', { fatal: true });

const isJson = (contentType: string): boolean => jsonTypes.has((contentType.split(';')[0] ?? '').trim().toLowerCase());

export class RpcHttp {
  private readonly dispatcher: Dispatcher;
  private readonly options: RpcHttpOptions;

  constructor(dispatcher: Dispatcher, options: RpcHttpOptions) {
    this.dispatcher = dispatcher;
    this.options = options;
  }

  /** Only what may hold a request is read. */
  accept(head: RequestHead): Decision<HttpContext> {
    const { method, path } = head;
    const origin = head.header('origin');
    const headers = this.corsHeaders(origin);
    const answer = (given: HttpAnswer): Decision<HttpContext> => ({ kind: 'answer', answer: given });
    if (path !== '/') return answer(this.failure('404 Not Found', headers, 'requests go to /'));
    if (method === 'OPTIONS')
      return answer({ status: '204 No Content', headers: [...headers, ...this.preflight(origin)], body: '' });
    if (method !== 'POST') {
      const allow = ['Allow', 'POST, OPTIONS'] as const;
      return answer(this.failure('405 Method Not Allowed', [...headers, allow], 'only POST is allowed'));
    }
    if (!isJson(head.header('content-type')))
      return answer(this.failure('415 Unsupported Media Type', headers, 'the content type must be application/json'));
    const request: RequestContext = { surface: this.options.surface, transport: 'http', client: clientOf(head) };
    return { kind: 'read', context: { request, headers } };
  }

  async handle({ request, headers }: HttpContext, body: Uint8Array): Promise<HttpAnswer> {
    return { status: '200 OK', headers: [...headers, json], body: await this.answer(request, body) };
  }

  /** Empty for a body of notifications only. */
  private async answer(request: RequestContext, body: Uint8Array): Promise<string> {
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      return errorBody({ code: jsonRpcCode.parseError, message: 'parse error: the body is not valid UTF-8' });
    }
    return (await this.dispatcher.handle(text, request)) ?? '';
  }

  refuse(context: HttpContext, refusal: HttpRefusal): HttpAnswer {
    const { bodyBytesMax, requestsMax, bodyTimeoutMs } = this.options;
    const limit = (name: string, maximum: number, message: string): JsonRpcError => ({
      code: jsonRpcCode.limitExceeded,
      message,
      data: { limit: name, maximum },
    });
    const headers = [...context.headers, json];
    switch (refusal) {
      case 'tooLarge':
        return {
          status: '413 Payload Too Large',
          headers,
          body: errorBody(limit('bodyBytes', bodyBytesMax, `request body is larger than ${bodyBytesMax} bytes`)),
        };
      case 'tooSlow':
        return {
          status: '408 Request Timeout',
          headers,
          body: errorBody(limit('bodyTimeoutMs', bodyTimeoutMs, `request body took longer than ${bodyTimeoutMs} ms`)),
        };
      case 'overloaded':
        return {
          status: '503 Service Unavailable',
          headers: [...headers, ['Retry-After', '1']],
          body: errorBody(limit('requests', requestsMax, 'too many requests at once')),
        };
    }
  }

  private failure(status: string, headers: Headers, message: string): HttpAnswer {
    return { status, headers: [...headers, json], body: errorBody({ code: jsonRpcCode.invalidRequest, message }) };
  }

  private corsHeaders(origin: string): Headers {
    const { corsOrigins } = this.options;
    if (corsOrigins.includes('*')) return [['Access-Control-Allow-Origin', '*']];
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
      ['Access-Control-Allow-Headers', 'Content-Type'],
      ['Access-Control-Max-Age', '600'],
    ];
  }
}

/** Everyone behind one address is one client. */
const clientOf = (head: RequestHead): Client => ({ id: `address:${head.remoteAddress()}`, apiKey: null });

const json = ['Content-Type', 'application/json'] as const;
const errorBody = (error: JsonRpcError): string => JSON.stringify({ jsonrpc: '2.0', id: null, error });
