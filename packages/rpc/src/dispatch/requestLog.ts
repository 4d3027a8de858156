import type { RequestContext, Surface } from './requestContext.ts';

/** A JSON-RPC request that was answered. Neither its parameters nor its result: they may hold what nobody else should read. */
export interface AnsweredRequest {
  /** As the caller wrote it, cut to what a method's name may have; null where it named none. */
  readonly method: string | null;
  readonly surface: Surface;
  readonly transport: RequestContext['transport'];
  /** Of the caller, as {@link Client.address}. */
  readonly address: string;
  /** Name of the API key, never the key. */
  readonly apiKey: string | null;
  /** From the start of the work to the answer, ms. */
  readonly ms: number;
  /** Characters of the whole body. */
  readonly bodyLength: number;
  /** Requests in the body; null where it is no batch. */
  readonly batch: number | null;
  /** Characters of the answer to this request, also of one that nobody gets because it is a notification. */
  readonly answerLength: number;
  /** Number of the error; null of a result. */
  readonly error: number | null;
}

/** Takes a line for each request while somebody wants it. */
export interface RequestLog {
  /** Asked for each body: nothing is noted or measured while it is false. */
  readonly isOn: boolean;
  /** A clock that only goes forward, ms. */
  nowMs(): number;
  answered(line: AnsweredRequest): void;
}

/** What all requests of one body have in common. */
export type LoggedBody = Pick<AnsweredRequest, 'surface' | 'transport' | 'address' | 'apiKey' | 'bodyLength'>;

/** Of a body that is about to be looked at: the address can be read only as long as its connection is there. */
export function loggedBody({ surface, transport, client }: RequestContext, body: string): LoggedBody {
  const { address, apiKey } = client;
  return { surface, transport, address, apiKey, bodyLength: body.length };
}

/** One request in work, for its line. */
export class LoggedRequest {
  readonly #log: RequestLog;
  readonly #body: LoggedBody;
  readonly #batch: number | null;
  readonly #method: string | null;
  readonly #startedMs: number;

  constructor(log: RequestLog, body: LoggedBody, batch: number | null, method: string | null) {
    this.#log = log;
    this.#body = body;
    this.#batch = batch;
    this.#method = method;
    this.#startedMs = log.nowMs();
  }

  end({ text, error }: { readonly text: string; readonly error: number | null }): void {
    const ms = Math.round((this.#log.nowMs() - this.#startedMs) * 1_000) / 1_000;
    const line = { method: this.#method, ...this.#body, batch: this.#batch, ms, answerLength: text.length, error };
    this.#log.answered(line);
  }
}
