import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js-20.30';
import {
  type Exchange,
  isLarge,
  keepIdle,
  keepReading,
  type Listen,
  pause,
  resume,
  writeNow,
} from './httpConnection.ts';
import { type HeadFault, misledUpgrade } from './httpFraming.ts';
import { type Connection, type HttpAnswer, UwsHead, writeContinue, writeHead } from './httpMessages.ts';
import type { HttpRefusal, HttpServerOptions } from './httpServerOptions.ts';
import { HttpServerError, loadUws, type UwsBuild, type UwsVersion } from './uwsBuild.ts';
import { addWebSocketRoute, type WebSocketRoute } from '../webSocket/webSocketRoute.ts';

export type { HttpAnswer, RequestHead } from './httpMessages.ts';
export type { Decision, HttpRefusal, HttpServerOptions } from './httpServerOptions.ts';
export { HttpServerError, type HttpServerErrorDetail } from './uwsBuild.ts';

/**
 * With uwsBuild.ts, webSocketRoute.ts and httpMessages.ts the only file that knows uWebSockets.js. It reads requests into bytes and writes
 * answers, and holds the limits of the transport: body size, time for a body, bytes and requests in memory at once. What a
 * request means is decided by its user: once from the head, before a byte of the body is read, and once from the whole body.
 *
 * The library ends a connection on which a second request, or the end of the stream, comes before the first is answered. So a connection whose
 * answer takes time is not read until it is answered: what comes meanwhile waits in the system, and is met in its order. Only requests that come
 * in one segment with the one that takes time find the connection closed. What else the builds of the library do is in httpConformance.test.ts.
 */

/** A body this many times too large is still read to its end, so that the client gets to read the answer. */
const drainFactor = 4;
/** LIBUS_LISTEN_DEFAULT, which not every build names. */
const sharedPort = 0;
/** A body that is waited for keeps its connection by a word to the library, which else would close it unanswered: this often at least, ms. */
const keepReadingMs = 4_000;

/** One listening port over uWebSockets.js. */
export class HttpServer<Context, SocketContext> {
  private boundPort = 0;
  private readonly options: HttpServerOptions<Context, SocketContext>;
  private readonly uws: UwsBuild;
  private readonly app: TemplatedApp;
  private readonly sockets: WebSocketRoute;
  private readonly keepAliveS: number;
  private listenSocket: us_listen_socket | null = null;
  private active = 0;
  private bufferedBytes = 0;
  private closing: Promise<void> | null = null;
  private aborted = false;
  private whenIdle: (() => void) | null = null;
  /** Requests of this turn of the loop that were not answered at once. */
  private open: Exchange<Context>[] = [];
  private readonly lookAtOpen = (): void => this.look();

  /** @throws HttpServerError `GATEWAY_HTTP_UNAVAILABLE` */
  constructor(options: HttpServerOptions<Context, SocketContext>) {
    const uws = loadUws();
    this.options = options;
    this.uws = uws;
    this.app = uws.library.App();
    this.keepAliveS = keepIdle(this.app, options.idleMs);
    this.sockets = addWebSocketRoute(this.app, {
      ...options.webSocket,
      uws: uws.library,
      malformed: (fault) => options.malformed(fault),
    });
    this.app.any('/*', (response, request) => this.onRequest(response, request));
  }

  /** The port that is listened on; 0 before {@link start}. */
  get port(): number {
    return this.boundPort;
  }

  /** The build of uWebSockets.js that serves. */
  get build(): UwsVersion {
    return this.uws.version;
  }

  /** @throws HttpServerError `GATEWAY_LISTEN_FAILED` */
  async start(): Promise<void> {
    // Nobody else may have the port: two processes could share it and split the requests. From then on it is shared with the own connections, which outlive the
    // listener where it is shut for a while, and would keep it from the next one.
    await this.listen(this.options.port, this.uws.library.LIBUS_LISTEN_EXCLUSIVE_PORT);
    this.shut();
    await this.listen(this.boundPort, sharedPort);
  }

  /** Lets nobody new in; connections that are there stay. */
  shut(): void {
    if (this.listenSocket !== null) this.uws.library.us_listen_socket_close(this.listenSocket);
    this.listenSocket = null;
  }

  /** Lets callers in again, on the same port. @throws HttpServerError `GATEWAY_LISTEN_FAILED` while somebody else has it */
  async letIn(): Promise<void> {
    const isShut = this.listenSocket === null && this.boundPort !== 0 && this.closing === null && !this.aborted;
    if (isShut) await this.listen(this.boundPort, sharedPort);
  }

  private async listen(port: number, options: number): Promise<void> {
    const { host } = this.options;
    const { library } = this.uws;
    const socket = await new Promise<us_listen_socket | false>((resolve) => {
      (this.app.listen as unknown as Listen).call(this.app, host, port, options, resolve);
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
    this.boundPort = library.us_socket_local_port(socket);
  }

  /** Stops accepting, lets running requests finish within the time given to them, then closes all connections. */
  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    this.shut();
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

  /** Closes everything now, answered or not. */
  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    // Also missing in the typings; without it the library keeps its thread alive.
    (this.app as unknown as { close: () => void }).close();
  }

  private onRequest(response: HttpResponse, request: HttpRequest): void {
    const head = new UwsHead(request, response);
    const fault = head.framing.fault ?? misledUpgrade(head.method, (name) => head.header(name));
    if (fault !== null) return this.refuseHead(response, head, fault);
    const decision = this.options.accept(head);
    if (decision.kind === 'answer') {
      const connection = this.connectionOf(head, head.framing.closes);
      return writeNow(response, decision.answer, connection, head.method === 'HEAD');
    }
    const exchange = this.exchangeOf(response, head, decision.context);
    this.active++;
    response.onAborted(() => {
      exchange.done = true;
      this.release(exchange);
    });
    const { bodyBytesMax, requestsMax } = this.options;
    const { contentLength, awaitsContinue } = head.framing;
    if (this.active > requestsMax) return this.refuse(exchange, 'overloaded');
    if (contentLength > drainFactor * bodyBytesMax) return this.refuse(exchange, 'tooLarge');
    if (awaitsContinue) {
      exchange.awaitsContinue = true;
      writeContinue(response);
    }
    response.onData((chunk, isLast) => this.onChunk(exchange, chunk, isLast));
    this.lookLater(exchange);
  }

  private connectionOf({ framing }: UwsHead, isClosing: boolean): Connection {
    const { closesByLibrary } = framing;
    return { awaitsContinue: false, isClosing, closesByLibrary, keepAliveS: this.keepAliveS };
  }

  private exchangeOf(response: HttpResponse, { framing }: UwsHead, context: Context): Exchange<Context> {
    return {
      awaitsContinue: false,
      // The library takes fields behind a chunked body for the next request, so there is none on this connection.
      isClosing: framing.closes || framing.isChunked,
      closesByLibrary: framing.closesByLibrary,
      keepAliveS: this.keepAliveS,
      response,
      context,
      chunks: [],
      received: 0,
      buffered: 0,
      timer: null,
      begunAt: 0,
      heardAt: 0,
      isComplete: false,
      isPaused: false,
      isSending: false,
      done: false,
      released: false,
    };
  }

  /**
   * In a turn of its own: as long as the refused request has no answer, the library ends the connection at a second one, so that nothing is
   * carried out which comes behind a request whose end is in doubt.
   */
  private refuseHead(response: HttpResponse, head: UwsHead, fault: HeadFault): void {
    const connection = this.connectionOf(head, true);
    let isGone = false;
    response.onAborted(() => {
      isGone = true;
    });
    setImmediate(() => {
      if (isGone) return;
      response.cork(() => {
        const answer = this.options.malformed(fault);
        writeHead(response, answer, connection);
        response.end(answer.body, true);
      });
    });
  }

  private lookLater(exchange: Exchange<Context>): void {
    if (this.open.push(exchange) === 1) setImmediate(this.lookAtOpen);
  }

  /** Connections have been read in this turn of the loop; they are read again in the next. */
  private look(): void {
    const { open } = this;
    this.open = [];
    for (const exchange of open) {
      if (exchange.done || exchange.isSending) continue;
      if (exchange.isComplete) pause(exchange);
      else if (exchange.begunAt === 0) {
        exchange.begunAt = exchange.heardAt = performance.now();
        this.watchBody(exchange, exchange.begunAt);
      }
    }
  }

  private watchBody(exchange: Exchange<Context>, now: number): void {
    const { bodyTimeoutMs, bodyStallMs } = this.options;
    const remainingMs = exchange.begunAt + bodyTimeoutMs - now;
    const stallMs = exchange.heardAt + bodyStallMs - now;
    exchange.timer = setTimeout(
      () => this.checkBody(exchange),
      Math.max(1, Math.min(remainingMs, stallMs, keepReadingMs)),
    );
  }

  private checkBody(exchange: Exchange<Context>): void {
    if (exchange.done) return;
    const { bodyTimeoutMs, bodyStallMs } = this.options;
    const now = performance.now();
    if (now >= exchange.begunAt + bodyTimeoutMs) return this.refuse(exchange, 'tooSlow');
    if (now >= exchange.heardAt + bodyStallMs) return this.refuse(exchange, 'stalled');
    keepReading(exchange);
    this.watchBody(exchange, now);
  }

  private onChunk(exchange: Exchange<Context>, chunk: ArrayBuffer, isLast: boolean): void {
    if (exchange.done) return;
    const { bodyBytesMax, bufferedBytesMax } = this.options;
    exchange.received += chunk.byteLength;
    if (exchange.received > bodyBytesMax) {
      this.releaseBytes(exchange);
      if (isLast || exchange.received > drainFactor * bodyBytesMax) this.refuse(exchange, 'tooLarge');
      return;
    }
    if (isLast) {
      const { chunks } = exchange;
      const body = chunks.length === 0 ? chunk : Buffer.concat([...chunks, new Uint8Array(chunk)]);
      return this.answer(exchange, body);
    }
    exchange.heardAt = performance.now();
    if (this.bufferedBytes + chunk.byteLength > bufferedBytesMax) return this.refuse(exchange, 'overloaded');
    // The library takes the memory of a chunk back after this call.
    exchange.chunks.push(new Uint8Array(chunk.slice()));
    this.buffer(exchange, chunk.byteLength);
  }

  private answer(exchange: Exchange<Context>, body: ArrayBuffer | Uint8Array): void {
    const { response } = exchange;
    exchange.isComplete = true;
    const answer = this.options.handle(exchange.context, body);
    this.stopReceiving(exchange);
    if (!(answer instanceof Promise)) {
      if (isLarge(answer, exchange)) return this.sendLarge(exchange, answer);
      exchange.done = true;
      writeNow(response, answer, exchange, false);
      return this.release(exchange);
    }
    this.lookLater(exchange);
    answer.then(
      (late) => this.respond(exchange, late),
      () => {
        // handle() promises not to reject; if it does, the client must not wait for ever.
        if (!exchange.done) response.close();
      },
    );
  }

  private respond(exchange: Exchange<Context>, answer: HttpAnswer): void {
    if (exchange.done) return;
    if (isLarge(answer, exchange)) this.sendLarge(exchange, answer);
    else this.finish(exchange, answer, exchange);
  }

  private refuse(exchange: Exchange<Context>, refusal: HttpRefusal): void {
    if (exchange.done) return;
    this.stopReceiving(exchange);
    this.finish(exchange, this.options.refuse(exchange.context, refusal), { ...exchange, isClosing: true });
  }

  private finish(exchange: Exchange<Context>, answer: HttpAnswer, connection: Connection): void {
    const { response } = exchange;
    exchange.done = true;
    response.cork(() => {
      resume(exchange);
      writeHead(response, answer, connection);
      response.end(answer.body, connection.isClosing);
    });
    this.release(exchange);
  }

  /** At the pace of the caller; one that takes nothing, or too long, loses the connection. */
  private sendLarge(exchange: Exchange<Context>, answer: HttpAnswer): void {
    const { response } = exchange;
    const { bodyTimeoutMs, bufferedBytesMax } = this.options;
    const body = Buffer.from(answer.body);
    if (this.bufferedBytes + body.length > bufferedBytesMax) return this.refuse(exchange, 'overloaded');
    this.buffer(exchange, body.length);
    exchange.isSending = true;
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
      // A connection that is not read is not told either that it takes bytes again.
      resume(exchange);
      writeHead(response, answer, exchange);
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
