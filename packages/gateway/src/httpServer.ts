import uWS, { type HttpRequest, type HttpResponse, type TemplatedApp } from 'uWebSockets.js';
import { PrimeError } from '@prime/primitives';

/**
 * The only file that knows uWebSockets.js. It reads requests into bytes and writes answers, and holds the limits of the transport:
 * body size, time for a body, bytes and requests in memory at once. What a request means is decided by its user: once from the
 * head, before a byte of the body is read, and once from the whole body.
 *
 * What the library brings along: a connection that sends nothing for 10 s in the middle of a request is closed; a request that
 * is pipelined behind one which is not answered yet closes the connection (answers could not be told apart); what is not HTTP
 * is dropped without an answer.
 */

/** What is known of a request before its body. Valid during the call that it is given to. */
export interface RequestHead {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  /** Value of a header, by its name in lower case; empty when it is absent. */
  header(name: string): string;
  /** Address of the other end of the connection, in its longest form for IPv6. */
  remoteAddress(): string;
}

export interface HttpAnswer {
  /** Code and words: `200 OK`. */
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What is done about a request: answer at once, or read its body and then ask {@link HttpServerOptions.handle}. */
export type Decision<Context> =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | { readonly kind: 'read'; readonly context: Context };

export interface HttpServerOptions<Context> {
  readonly host: string;
  /** 0 lets the kernel choose. */
  readonly port: number;
  readonly bodyBytesMax: number;
  /** From the first byte of a body to its last, ms. */
  readonly bodyTimeoutMs: number;
  /** Requests that are received or answered at once. */
  readonly requestsMax: number;
  /** Bytes of unfinished bodies in memory. */
  readonly bufferedBytesMax: number;
  /** Time for running requests when the server closes, ms. */
  readonly closeTimeoutMs: number;
  readonly accept: (head: RequestHead) => Decision<Context>;
  /** Must not reject. */
  readonly handle: (context: Context, body: Uint8Array) => Promise<HttpAnswer>;
  /** Answer for a request that is refused while its body is read. */
  readonly refuse: (context: Context, refusal: HttpRefusal) => HttpAnswer;
}

export type HttpRefusal = 'tooLarge' | 'tooSlow' | 'overloaded';

export type HttpServerErrorDetail =
  /** The address is taken or not ours. */
  { readonly code: 'GATEWAY_LISTEN_FAILED'; readonly host: string; readonly port: number };
export class HttpServerError extends PrimeError<HttpServerErrorDetail> {}

export interface HttpServer {
  /** The port that is listened on; 0 before {@link start}. */
  readonly port: number;
  /** @throws HttpServerError `GATEWAY_LISTEN_FAILED` */
  start(): Promise<void>;
  /** Stops accepting, lets running requests finish within the time given to them, then closes all connections. */
  close(): Promise<void>;
  /** Closes everything now, answered or not. */
  abort(): void;
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it two processes could share the port and split the requests. */
const exclusivePort = 1;
const decoder = new TextDecoder();
/** A body this many times too large is still read to its end, so that the client gets to read the answer. */
const drainFactor = 4;

type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (socket: uWS.us_listen_socket | false) => void,
) => void;

/** One request from its head to its answer. */
interface Incoming {
  readonly isHead: boolean;
  readonly chunks: Uint8Array[];
  /** Bytes received, also those that are thrown away. */
  received: number;
  buffered: number;
  timer: ReturnType<typeof setTimeout> | null;
  /** Answered, aborted or refused: no more may be written. */
  done: boolean;
  released: boolean;
}

class UwsServer<Context> implements HttpServer {
  port = 0;
  private readonly options: HttpServerOptions<Context>;
  private readonly app: TemplatedApp;
  private listenSocket: uWS.us_listen_socket | null = null;
  private active = 0;
  private bufferedBytes = 0;
  private closing: Promise<void> | null = null;
  private aborted = false;
  private whenIdle: (() => void) | null = null;

  constructor(options: HttpServerOptions<Context>) {
    this.options = options;
    this.app = uWS.App();
    this.app.any('/*', (response, request) => this.onRequest(response, request));
  }

  async start(): Promise<void> {
    const { host, port } = this.options;
    const socket = await new Promise<uWS.us_listen_socket | false>((resolve) => {
      // The typings lack this overload, which the library has.
      (this.app.listen as unknown as Listen).call(this.app, host, port, exclusivePort, resolve);
    });
    if (socket === false)
      throw new HttpServerError(`can not listen on ${host}:${port}`, { code: 'GATEWAY_LISTEN_FAILED', host, port });
    this.listenSocket = socket;
    this.port = uWS.us_socket_local_port(socket);
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    if (this.listenSocket !== null) uWS.us_listen_socket_close(this.listenSocket);
    this.listenSocket = null;
    if (this.active > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.options.closeTimeoutMs);
        this.whenIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.abort();
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    // Also missing in the typings; without it the library keeps its thread alive.
    (this.app as unknown as { close: () => void }).close();
  }

  private onRequest(response: HttpResponse, request: HttpRequest): void {
    const method = request.getMethod().toUpperCase();
    const contentLength = Number(request.getHeader('content-length') || 0);
    const incoming: Incoming = {
      isHead: method === 'HEAD',
      chunks: [],
      received: 0,
      buffered: 0,
      timer: null,
      done: false,
      released: false,
    };
    this.active++;
    response.onAborted(() => {
      incoming.done = true;
      this.release(incoming);
    });
    const decision = this.options.accept({
      method,
      path: request.getUrl(),
      header: (name) => request.getHeader(name),
      remoteAddress: () => decoder.decode(response.getRemoteAddressAsText()),
    });
    if (decision.kind === 'answer') return this.write(response, incoming, decision.answer, false);
    const { context } = decision;
    const { bodyBytesMax, requestsMax } = this.options;
    if (this.active > requestsMax) return this.refuse(response, incoming, context, 'overloaded');
    if (contentLength > drainFactor * bodyBytesMax) return this.refuse(response, incoming, context, 'tooLarge');
    response.onData((chunk, isLast) => this.onChunk(response, incoming, context, new Uint8Array(chunk), isLast));
  }

  private onChunk(
    response: HttpResponse,
    incoming: Incoming,
    context: Context,
    chunk: Uint8Array,
    isLast: boolean,
  ): void {
    if (incoming.done) return;
    const { bodyBytesMax, bodyTimeoutMs, bufferedBytesMax } = this.options;
    incoming.received += chunk.length;
    if (incoming.received > bodyBytesMax) {
      this.releaseBytes(incoming);
      if (isLast || incoming.received > drainFactor * bodyBytesMax)
        this.refuse(response, incoming, context, 'tooLarge');
      return;
    }
    if (isLast) return this.answer(response, incoming, context, joined(incoming.chunks, chunk));
    incoming.timer ??= setTimeout(() => this.refuse(response, incoming, context, 'tooSlow'), bodyTimeoutMs);
    if (this.bufferedBytes + chunk.length > bufferedBytesMax)
      return this.refuse(response, incoming, context, 'overloaded');
    // The library takes the memory of a chunk back after this call.
    incoming.chunks.push(chunk.slice());
    incoming.buffered += chunk.length;
    this.bufferedBytes += chunk.length;
  }

  private answer(response: HttpResponse, incoming: Incoming, context: Context, body: Uint8Array): void {
    this.stopReceiving(incoming);
    const respond = (answer: HttpAnswer): void => {
      this.write(response, incoming, answer, false);
    };
    this.options.handle(context, body).then(respond, () => {
      // handle() promises not to reject; if it does, the client must not wait for ever.
      if (!incoming.done) response.close();
    });
  }

  private refuse(response: HttpResponse, incoming: Incoming, context: Context, refusal: HttpRefusal): void {
    this.stopReceiving(incoming);
    this.write(response, incoming, this.options.refuse(context, refusal), true);
  }

  private write(response: HttpResponse, incoming: Incoming, answer: HttpAnswer, closeConnection: boolean): void {
    if (incoming.done) return;
    incoming.done = true;
    response.cork(() => {
      response.writeStatus(answer.status);
      for (const [name, value] of answer.headers) response.writeHeader(name, value);
      if (incoming.isHead) response.endWithoutBody(undefined, closeConnection);
      else response.end(answer.body, closeConnection);
    });
    this.release(incoming);
  }

  private stopReceiving(incoming: Incoming): void {
    if (incoming.timer !== null) clearTimeout(incoming.timer);
    incoming.timer = null;
    this.releaseBytes(incoming);
  }

  private releaseBytes(incoming: Incoming): void {
    this.bufferedBytes -= incoming.buffered;
    incoming.buffered = 0;
    incoming.chunks.length = 0;
  }

  private release(incoming: Incoming): void {
    this.stopReceiving(incoming);
    if (incoming.released) return;
    incoming.released = true;
    this.active--;
    if (this.active === 0) this.whenIdle?.();
  }
}

/** The chunks as one array that does not share the library's memory. */
function joined(chunks: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  let size = last.length;
  for (const chunk of chunks) size += chunk.length;
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of [...chunks, last]) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

export const createHttpServer = <Context>(options: HttpServerOptions<Context>): HttpServer => new UwsServer(options);
