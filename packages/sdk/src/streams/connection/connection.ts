import { isStreamError, malformed, StreamError, toStreamError } from '../errors.ts';
import { type Json, toNumber, toObject, toText } from '../wire/fields.ts';
import type { StreamEnvironment, StreamSocket } from './environment.ts';

/** Times after which a connection is given up, ms. */
export interface ConnectionLimits {
  /** Until a socket is open, ms. */
  readonly connectTimeoutMs: number;
  /** Until a request is answered, ms. */
  readonly requestTimeoutMs: number;
  /** Silence after which the node is asked for a sign of life, ms. */
  readonly heartbeatMs: number;
  /** Until anything comes after that, ms. */
  readonly heartbeatTimeoutMs: number;
}

/** One WebSocket to one node. */
export interface ConnectionOptions extends ConnectionLimits {
  readonly url: string;
  readonly environment: StreamEnvironment;
  /** Told once, whoever ended it. */
  readonly onClosed: (error: StreamError) => void;
}

interface Waiting {
  readonly method: string;
  /** Called within the turn of the message, so that nothing that follows it comes before. */
  readonly answered: (result: unknown) => void;
  readonly failed: (error: StreamError) => void;
  readonly sinceMs: number;
}

/** By which a stream is asked for; notifications are the same under both names. */
export type SubscribeMethod = 'eth_subscribe' | 'prime_subscribe';

/** A JSON-RPC call without its id. */
export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

const requestFailed = (method: string, error: unknown): StreamError => {
  const { code, message, data } = toObject(error, 'an error');
  const rpcCode = toNumber(code, 'code');
  return new StreamError(`The node refused ${method}: ${toText(message, 'message')}`, {
    code: 'STREAM_REQUEST_FAILED',
    method,
    rpcCode,
    data,
  });
};

/** JSON-RPC with subscriptions over one WebSocket, and the watch over whether the other side is alive. */
export class Connection {
  readonly url: string;
  readonly #options: ConnectionOptions;
  readonly #socket: StreamSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #subscriptions = new Map<string, (result: unknown) => void>();
  #nextId = 1;
  #opened: ((error: StreamError | null) => void) | null = null;
  #heardMs: number;
  #cancelTimer: () => void = () => undefined;
  #ended: StreamError | null = null;
  #lastError = '';

  /** @throws StreamError `STREAM_DISCONNECTED`, `STREAM_TIMEOUT` */
  static open(options: ConnectionOptions): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let connection: Connection;
      try {
        connection = new Connection(options);
      } catch (error) {
        // A URL that is none: browsers and `ws` throw at once.
        const detail = { code: 'STREAM_DISCONNECTED', url: options.url, closeCode: null } as const;
        return reject(new StreamError(`There is no connection to ${options.url}.`, detail, error));
      }
      connection.#opened = (error) => (error === null ? resolve(connection) : reject(error));
    });
  }

  private constructor(options: ConnectionOptions) {
    const { url, environment, connectTimeoutMs } = options;
    this.url = url;
    this.#options = options;
    this.#heardMs = environment.now();
    this.#socket = environment.openSocket(url);
    this.#cancelTimer = environment.setTimer(
      () => this.fail(this.#late('connect', connectTimeoutMs)),
      connectTimeoutMs,
    );
    this.#socket.onopen = () => this.#open();
    this.#socket.onmessage = (event: { readonly data: unknown }) => this.#take(event.data);
    this.#socket.onerror = (event: { readonly message?: string }) => {
      this.#lastError = event.message ?? '';
    };
    this.#socket.onclose = (event: { readonly code?: number; readonly reason?: string }) =>
      this.fail(this.#closed(event.code ?? null, event.reason ?? ''));
  }

  get isOpen(): boolean {
    return this.#ended === null;
  }

  /** Why it ended; null while it has not. */
  get ended(): StreamError | null {
    return this.#ended;
  }

  /** @throws StreamError `STREAM_REQUEST_FAILED`, or why the connection ended */
  request(method: string, params: readonly unknown[]): Promise<unknown> {
    return new Promise((answered, failed) => {
      this.#send([{ method, params, answered, failed }], false);
    });
  }

  /**
   * Several requests in one message: the node begins them together and in order.
   *
   * @throws StreamError of the first that failed
   */
  batch(calls: readonly Call[]): Promise<readonly unknown[]> {
    const sent: (Call & Pick<Waiting, 'answered' | 'failed'>)[] = [];
    const answers = calls.map(
      (call) => new Promise<unknown>((answered, failed) => sent.push({ ...call, answered, failed })),
    );
    this.#send(sent, true);
    return Promise.all(answers);
  }

  /**
   * @param onResult told of every notification, the first may come before the promise resolves
   * @param method decides the format of heads: that of Ethereum, or the native one
   * @returns id of the subscription
   */
  subscribe(
    kind: string,
    options: Json | null,
    onResult: (result: unknown) => void,
    method: SubscribeMethod = 'eth_subscribe',
  ): Promise<string> {
    const params = options === null ? [kind] : [kind, options];
    return new Promise((resolve, failed) => {
      const answered = (result: unknown): void => {
        const id = toText(result, 'a subscription id');
        this.#subscriptions.set(id, onResult);
        resolve(id);
      };
      this.#send([{ method, params, answered, failed }], false);
    });
  }

  /** Nothing is told of it from now on. */
  unsubscribe(id: string): void {
    if (!this.#subscriptions.delete(id) || !this.isOpen) return;
    // Whether the node has it still does not matter any more.
    this.request('eth_unsubscribe', [id]).catch(() => undefined);
  }

  /** Ends it because of this, if it has not ended before. */
  fail(error: StreamError): void {
    if (this.#ended !== null) return;
    this.#ended = error;
    this.#cancelTimer();
    const socket = this.#socket;
    Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
    // `ws` throws what nobody listens to.
    socket.onerror = () => undefined;
    const isAsked = isStreamError(error, 'STREAM_CLOSED');
    if (!isAsked && socket.terminate !== undefined) socket.terminate();
    else socket.close();
    this.#subscriptions.clear();
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
    this.#opened?.(error);
    this.#opened = null;
    this.#options.onClosed(error);
  }

  #open(): void {
    this.#cancelTimer();
    this.#heardMs = this.#options.environment.now();
    this.#watchSilence();
    this.#opened?.(null);
    this.#opened = null;
  }

  #send(calls: readonly (Call & Pick<Waiting, 'answered' | 'failed'>)[], asBatch: boolean): void {
    if (this.#ended !== null) {
      for (const { failed } of calls) failed(this.#ended);
      return;
    }
    const sinceMs = this.#options.environment.now();
    const bodies = calls.map(({ method, params, answered, failed }) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { method, answered, failed, sinceMs });
      return { jsonrpc: '2.0', id, method, params };
    });
    this.#socket.send(JSON.stringify(asBatch ? bodies : bodies[0]));
  }

  #take(data: unknown): void {
    if (this.#ended !== null) return;
    this.#heardMs = this.#options.environment.now();
    try {
      const message: unknown = JSON.parse(toText(data, 'a frame'));
      for (const part of Array.isArray(message) ? message : [message]) this.#dispatch(toObject(part, 'a message'));
    } catch (error) {
      this.fail(toStreamError(error));
    }
  }

  #dispatch(message: Json): void {
    if (message['method'] === 'eth_subscription') {
      const params = toObject(message['params'], 'params');
      // One that was unsubscribed may have been told of meanwhile.
      this.#subscriptions.get(toText(params['subscription'], 'subscription'))?.(params['result']);
      return;
    }
    const { id, error } = message;
    if (id === null && error !== undefined) throw malformed(`an error to no request: ${JSON.stringify(error)}`);
    const waiting = this.#waiting.get(toNumber(id, 'id'));
    if (waiting === undefined) return;
    this.#waiting.delete(id as number);
    if (error !== undefined) return waiting.failed(requestFailed(waiting.method, error));
    try {
      waiting.answered(message['result']);
    } catch (wrong) {
      waiting.failed(toStreamError(wrong));
      throw wrong;
    }
  }

  /** Looks again when something should have come. */
  #watchSilence(): void {
    const { environment, heartbeatMs, heartbeatTimeoutMs, requestTimeoutMs } = this.#options;
    const now = environment.now();
    const [oldest] = this.#waiting.values();
    if (oldest !== undefined && now - oldest.sinceMs >= requestTimeoutMs)
      return this.fail(this.#late(oldest.method, requestTimeoutMs));
    const silentMs = now - this.#heardMs;
    if (silentMs >= heartbeatMs + heartbeatTimeoutMs) return this.fail(this.#late('ping', heartbeatTimeoutMs));
    const isQuiet = silentMs >= heartbeatMs;
    // Browsers can not send the pings of the protocol, so any cheap request is one.
    if (isQuiet && ![...this.#waiting.values()].some(({ method }) => method === pingMethod))
      this.request(pingMethod, []).catch(() => undefined);
    const untilSilent = isQuiet ? heartbeatMs + heartbeatTimeoutMs - silentMs : heartbeatMs - silentMs;
    const untilLate = oldest === undefined ? untilSilent : oldest.sinceMs + requestTimeoutMs - now;
    this.#cancelTimer = environment.setTimer(() => this.#watchSilence(), Math.max(1, Math.min(untilSilent, untilLate)));
  }

  #late(method: string, timeoutMs: number): StreamError {
    return new StreamError(`${this.url} did not answer ${method} within ${timeoutMs} ms.`, {
      code: 'STREAM_TIMEOUT',
      url: this.url,
      method,
      timeoutMs,
    });
  }

  #closed(closeCode: number | null, reason: string): StreamError {
    const words = [closeCode, reason, this.#lastError].filter((word) => word !== null && word !== '').join(' ');
    const why = words === '' ? '' : `: ${words}`;
    return new StreamError(`The connection to ${this.url} ended${why}`, {
      code: 'STREAM_DISCONNECTED',
      url: this.url,
      closeCode,
    });
  }
}

const pingMethod = 'net_version';
