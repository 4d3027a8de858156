import uWS, { type HttpRequest, type HttpResponse, type TemplatedApp } from 'uWebSockets.js';
import { PrimeError } from '@prime/primitives';
import type { Eventual } from '@prime/rpc';
import { type HttpAnswer, type RequestHead, UwsHead, writeHead } from './httpMessages.ts';
import { addWebSocketRoute, type WebSocketOptions, type WebSocketRoute } from './webSocket/webSocketRoute.ts';

export type { HttpAnswer, RequestHead } from './httpMessages.ts';

/**
 * With webSocketRoute.ts and httpMessages.ts the only file that knows uWebSockets.js. It reads requests into bytes and writes
 * answers, and holds the limits of the transport: body size, time for a body, bytes and requests in memory at once. What a
 * request means is decided by its user: once from the head, before a byte of the body is read, and once from the whole body.
 *
 * What the library brings along: a connection without a whole request or a byte of its body for 10 s is closed; pipelined requests
 * are answered in order as long as the answers come at once, and a request behind one that is not answered yet closes the
 * connection (answers could not be told apart); `Expect: 100-continue` gets its interim answer; what is not HTTP is dropped
 * without an answer, and so is a request with both Content-Length and Transfer-Encoding. Of several Content-Length headers the first counts.
 * To refuse them all headers of each request would have to be read from here, which costs more than a microsecond of each; proxies in front
 * of a node must refuse them (nginx, Caddy, HAProxy and Envoy do), or they and the node would not agree on where a request ends.
 */

/** What is done about a request: answer at once, or read its body and then ask {@link HttpServerOptions.handle}. */
export type Decision<Context> =
  | { readonly kind: 'answer'; readonly answer: HttpAnswer }
  | { readonly kind: 'read'; readonly context: Context };

export interface HttpServerOptions<Context, SocketContext> {
  readonly host: string;
  /** 0 lets the kernel choose. */
  readonly port: number;
  readonly bodyBytesMax: number;
  /** From the first byte of a body to its last, and again for an answer to be taken, ms. */
  readonly bodyTimeoutMs: number;
  /** Requests that are received or answered at once. */
  readonly requestsMax: number;
  /** Bytes in memory of bodies that are not complete and of answers that callers have not taken. */
  readonly bufferedBytesMax: number;
  /** Time for running requests when the server closes, ms. */
  readonly closeTimeoutMs: number;
  readonly webSocket: WebSocketOptions<SocketContext>;
  readonly accept: (head: RequestHead) => Decision<Context>;
  /** The body is valid during the call only. Must not throw or reject. */
  readonly handle: (context: Context, body: ArrayBuffer | Uint8Array) => Eventual<HttpAnswer>;
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
/** A body this many times too large is still read to its end, so that the client gets to read the answer. */
const drainFactor = 4;

type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (socket: uWS.us_listen_socket | false) => void,
) => void;

/** Answers of this size and more, in characters, are sent as the caller takes them; smaller ones the library keeps. */
const largeAnswerLength = 64 * 1024;

/** One request from its head to its answer. */
interface Exchange<Context> {
  readonly context: Context;
  readonly chunks: Uint8Array[];
  /** Bytes received, also those that are thrown away. */
  received: number;
  buffered: number;
  timer: ReturnType<typeof setTimeout> | null;
  /** Answered, aborted or refused: no more may be written. */
  done: boolean;
  released: boolean;
}

class UwsServer<Context, SocketContext> implements HttpServer {
  port = 0;
  private readonly options: HttpServerOptions<Context, SocketContext>;
  private readonly app: TemplatedApp;
  private readonly sockets: WebSocketRoute;
  private listenSocket: uWS.us_listen_socket | null = null;
  private active = 0;
  private bufferedBytes = 0;
  private closing: Promise<void> | null = null;
  private aborted = false;
  private whenIdle: (() => void) | null = null;

  constructor(options: HttpServerOptions<Context, SocketContext>) {
    this.options = options;
    this.app = uWS.App();
    this.sockets = addWebSocketRoute(this.app, options.webSocket);
    this.app.any('/*', (response, request) => this.onRequest(response, request));
  }

  async start(): Promise<void> {
    const { host, port } = this.options;
    const socket = await new Promise<uWS.us_listen_socket | false>((resolve) => {
      // The typings lack this overload, which the library has.
      (this.app.listen as unknown as Listen).call(this.app, host, port, exclusivePort, resolve);
    });
    if (socket === false)
      throw new HttpServerError(
        `JSON-RPC can not listen on ${host}:${port}: is the port taken, the address another machine's?`,
        {
          code: 'GATEWAY_LISTEN_FAILED',
          host,
          port,
        },
      );
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
    await this.withinCloseTimeout(Promise.all([this.untilIdle(), this.sockets.stop()]));
    this.abort();
  }

  private async untilIdle(): Promise<void> {
    if (this.active === 0) return;
    await new Promise<void>((resolve) => {
      this.whenIdle = resolve;
    });
  }

  private async withinCloseTimeout(work: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.closeTimeoutMs);
    });
    await Promise.race([work, late]);
    clearTimeout(timer);
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    // Also missing in the typings; without it the library keeps its thread alive.
    (this.app as unknown as { close: () => void }).close();
  }

  private onRequest(response: HttpResponse, request: HttpRequest): void {
    const contentLength = Number(request.getHeader('content-length') || 0);
    const head = new UwsHead(request, response);
    const decision = this.options.accept(head);
    if (decision.kind === 'answer') return writeNow(response, decision.answer, head.method === 'HEAD');
    const exchange: Exchange<Context> = {
      context: decision.context,
      chunks: [],
      received: 0,
      buffered: 0,
      timer: null,
      done: false,
      released: false,
    };
    this.active++;
    response.onAborted(() => {
      exchange.done = true;
      this.release(exchange);
    });
    const { bodyBytesMax, requestsMax } = this.options;
    if (this.active > requestsMax) return this.refuse(response, exchange, 'overloaded');
    if (contentLength > drainFactor * bodyBytesMax) return this.refuse(response, exchange, 'tooLarge');
    response.onData((chunk, isLast) => this.onChunk(response, exchange, chunk, isLast));
  }

  private onChunk(response: HttpResponse, exchange: Exchange<Context>, chunk: ArrayBuffer, isLast: boolean): void {
    if (exchange.done) return;
    const { bodyBytesMax, bodyTimeoutMs, bufferedBytesMax } = this.options;
    exchange.received += chunk.byteLength;
    if (exchange.received > bodyBytesMax) {
      this.releaseBytes(exchange);
      if (isLast || exchange.received > drainFactor * bodyBytesMax) this.refuse(response, exchange, 'tooLarge');
      return;
    }
    if (isLast) {
      const { chunks } = exchange;
      const body = chunks.length === 0 ? chunk : Buffer.concat([...chunks, new Uint8Array(chunk)]);
      return this.answer(response, exchange, body);
    }
    exchange.timer ??= setTimeout(() => this.refuse(response, exchange, 'tooSlow'), bodyTimeoutMs);
    if (this.bufferedBytes + chunk.byteLength > bufferedBytesMax) return this.refuse(response, exchange, 'overloaded');
    // The library takes the memory of a chunk back after this call.
    exchange.chunks.push(new Uint8Array(chunk.slice()));
    this.buffer(exchange, chunk.byteLength);
  }

  private answer(response: HttpResponse, exchange: Exchange<Context>, body: ArrayBuffer | Uint8Array): void {
    const answer = this.options.handle(exchange.context, body);
    this.stopReceiving(exchange);
    if (!(answer instanceof Promise)) {
      if (answer.body.length >= largeAnswerLength) return this.sendLarge(response, exchange, answer);
      exchange.done = true;
      writeNow(response, answer, false);
      return this.release(exchange);
    }
    answer.then(
      (late) => this.respond(response, exchange, late),
      () => {
        // handle() promises not to reject; if it does, the client must not wait for ever.
        if (!exchange.done) response.close();
      },
    );
  }

  private respond(response: HttpResponse, exchange: Exchange<Context>, answer: HttpAnswer): void {
    if (exchange.done) return;
    if (answer.body.length >= largeAnswerLength) this.sendLarge(response, exchange, answer);
    else this.finish(response, exchange, answer, false);
  }

  private refuse(response: HttpResponse, exchange: Exchange<Context>, refusal: HttpRefusal): void {
    if (exchange.done) return;
    this.stopReceiving(exchange);
    this.finish(response, exchange, this.options.refuse(exchange.context, refusal), true);
  }

  private finish(
    response: HttpResponse,
    exchange: Exchange<Context>,
    answer: HttpAnswer,
    closeConnection: boolean,
  ): void {
    exchange.done = true;
    response.cork(() => {
      writeHead(response, answer);
      response.end(answer.body, closeConnection);
    });
    this.release(exchange);
  }

  /** At the pace of the caller; one that takes nothing, or too long, loses the connection. */
  private sendLarge(response: HttpResponse, exchange: Exchange<Context>, answer: HttpAnswer): void {
    const { bodyTimeoutMs, bufferedBytesMax } = this.options;
    const body = Buffer.from(answer.body);
    if (this.bufferedBytes + body.length > bufferedBytesMax) return this.refuse(response, exchange, 'overloaded');
    this.buffer(exchange, body.length);
    const send = (offset: number): boolean => {
      const [ok, isDone] = response.tryEnd(body.subarray(offset), body.length);
      if (isDone) {
        exchange.done = true;
        this.release(exchange);
      }
      return ok || isDone;
    };
    response.onWritable((offset) => exchange.done || send(offset));
    exchange.timer = setTimeout(() => {
      if (!exchange.done) response.close();
    }, bodyTimeoutMs);
    response.cork(() => {
      writeHead(response, answer);
      send(0);
    });
  }

  private buffer(exchange: Exchange<Context>, bytes: number): void {
    exchange.buffered += bytes;
    this.bufferedBytes += bytes;
  }

  private stopReceiving(exchange: Exchange<Context>): void {
    if (exchange.timer !== null) clearTimeout(exchange.timer);
    exchange.timer = null;
    this.releaseBytes(exchange);
  }

  private releaseBytes(exchange: Exchange<Context>): void {
    if (exchange.buffered === 0) return;
    this.bufferedBytes -= exchange.buffered;
    exchange.buffered = 0;
    exchange.chunks.length = 0;
  }

  private release(exchange: Exchange<Context>): void {
    this.stopReceiving(exchange);
    if (exchange.released) return;
    exchange.released = true;
    this.active--;
    if (this.active === 0) this.whenIdle?.();
  }
}

/** Inside of the library's own call, where everything is corked. */
function writeNow(response: HttpResponse, answer: HttpAnswer, isHead: boolean): void {
  writeHead(response, answer);
  if (isHead) response.endWithoutBody();
  else response.end(answer.body);
}

export const createHttpServer = <Context, SocketContext>(
  options: HttpServerOptions<Context, SocketContext>,
): HttpServer => new UwsServer(options);
