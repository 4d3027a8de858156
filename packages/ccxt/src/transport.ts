import { type CustomTransport, custom, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import type { CcxtExchange, CcxtLibrary, Structure } from './library.ts';

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const isObject = (value: unknown): value is Structure => typeof value === 'object' && value !== null;

/** Whether a body is an answer of JSON-RPC: then its error, and not the status of HTTP, says what went wrong. */
export const isRpcAnswer = (body: unknown): body is RpcAnswer =>
  isObject(body) && ('result' in body || isObject(body['error']));

/**
 * A transport of viem that sends through ccxt's own `fetch`: proxies, headers, time limits, the rate limiter, `verbose` and
 * `last_http_response` work as with every other exchange.
 */
export function exchangeTransport(exchange: CcxtExchange, library: CcxtLibrary, url: string): CustomTransport {
  let id = 0;
  const request = async ({ method, params = [] }: { readonly method: string; readonly params?: unknown }) => {
    const body = { jsonrpc: '2.0', id: ++id, method, params };
    if (exchange.enableRateLimit) await exchange.throttle();
    const answer = await post(body);
    if (!isRpcAnswer(answer)) throw new HttpRequestError({ url, details: 'The answer is none of JSON-RPC.' });
    if (answer.error !== undefined) throw new RpcRequestError({ body, error: answer.error, url });
    return answer.result;
  };
  const post = async (body: Structure): Promise<unknown> => {
    try {
      return await exchange.fetch(url, 'POST', { 'Content-Type': 'application/json' }, JSON.stringify(body));
    } catch (thrown) {
      // As viem's own transport fails, so that the SDK knows which failures leave open what became of an action.
      if (thrown instanceof library.RequestTimeout) {
        const late = new TimeoutError({ body, url });
        late.cause = thrown;
        throw late;
      }
      if (!(thrown instanceof library.BaseError)) throw thrown;
      throw new HttpRequestError({ url, cause: thrown });
    }
  };
  return custom({ request }, { retryCount: 0 });
}
