import { type Dispatcher, jsonRpcCode, type RequestContext, type Surface } from '@prime/rpc';
import { closeCode, type ConnectionStreams, type Sink, type StreamHub } from '../streams/streamHub.ts';
import type { GatewayLimits } from '../gatewayLimits.ts';
import type { BufferShare, SharedBuffer } from './sharedBuffer.ts';
import type { Socket, SocketUser } from './webSocketRoute.ts';

/** What one connection may hold before it is closed with 1013. */
export type ConnectionLimits = Pick<GatewayLimits, 'socketBufferedBytesMax' | 'socketRequestsMax' | 'socketWaitingMax'>;

/** What a connection calls, where its streams come from, and who is told of its end. */
export interface ConnectionOptions {
  readonly dispatcher: Dispatcher;
  /** Null turns subscriptions off. */
  readonly hub: StreamHub | null;
  readonly limits: ConnectionLimits;
  /** Of all connections. */
  readonly buffer: SharedBuffer;
  readonly onClosed: () => void;
  /** The node ended it, for this reason. */
  readonly onEnded: (code: number) => void;
}

/** From this share of the bound on a reader counts as slow. */
const behindShare = 4;
/** What is written in one turn is sent together, at most so much at once. */
const outboxLengthMax = 64 * 1024;
/** What a message that waits takes beside its characters: else empty ones could wait without end. */
const waitingOverhead = 64;
/** Messages that were taken are kept in the array up to so many, so that taking one costs the same however many wait. */
const takenMax = 1_024;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON-RPC on one WebSocket: requests, batches and subscriptions. Everything that it holds is bounded: what the other side sends
 * faster than it is worked on, and what it does not read.
 */
export class RpcConnection implements SocketUser, Sink {
  readonly surface: Surface;
  private readonly socket: Socket;
  private readonly request: RequestContext;
  private readonly options: ConnectionOptions;
  private readonly streams: ConnectionStreams | null;
  private readonly share: BufferShare;
  /** Of which the first {@link taken} are taken. */
  private waiting: string[] = [];
  private taken = 0;
  private waitingLength = 0;
  private running = 0;
  private outbox: string[] = [];
  private outboxLength = 0;
  private stopping = false;
  /** Ended or closed: the socket must not be touched. */
  private over = false;

  constructor(socket: Socket, request: RequestContext, options: ConnectionOptions) {
    this.surface = request.surface;
    this.socket = socket;
    this.request = request;
    this.options = options;
    this.share = options.buffer.share();
    this.streams = options.hub?.attach(this) ?? null;
  }

  onMessage(bytes: Uint8Array): void {
    if (this.over || this.stopping) return;
    const text = decoded(bytes);
    if (text === null) return this.send(notUtf8);
    const { socketRequestsMax, socketWaitingMax } = this.options.limits;
    if (this.running < socketRequestsMax) return this.work(text);
    this.waiting.push(text);
    this.waitingLength += text.length + waitingOverhead;
    if (this.waitingLength > socketWaitingMax)
      return this.end(closeCode.tryAgainLater, `more than ${socketWaitingMax} bytes of requests wait`);
    this.count();
    if (this.options.buffer.isFull) this.endForAll();
  }

  onDrain(): void {
    if (this.over) return;
    this.count();
    if (!this.isBehind()) this.streams?.resume();
  }

  onClosed(): void {
    this.over = true;
    this.outbox = [];
    this.waiting = [];
    this.taken = 0;
    this.share.set(0);
    this.streams?.close();
    this.options.onClosed();
  }

  stop(): void {
    this.stopping = true;
    if (this.running === 0) this.end(closeCode.goingAway, 'the node stops');
  }

  send(text: string): void {
    if (this.over) return;
    this.outbox.push(text);
    this.outboxLength += text.length;
    if (this.outboxLength > outboxLengthMax) this.flush();
    else if (this.outbox.length === 1) queueMicrotask(() => this.flush());
  }

  isBehind(): boolean {
    return this.over || this.socket.bufferedBytes() * behindShare > this.options.limits.socketBufferedBytesMax;
  }

  end(code: number, reason: string): void {
    if (this.over) return;
    this.flush();
    if (this.over) return;
    this.over = true;
    this.options.onEnded(code);
    this.socket.end(code, reason);
  }

  private flush(): void {
    if (this.over || this.outbox.length === 0) return;
    const { outbox } = this;
    const { socketBufferedBytesMax } = this.options.limits;
    this.outbox = [];
    this.outboxLength = 0;
    // What was there before counts: one answer may be larger than the bound.
    const unread = this.socket.bufferedBytes();
    if (unread > socketBufferedBytesMax)
      return this.end(closeCode.tryAgainLater, `slow consumer: more than ${socketBufferedBytesMax} bytes are unread`);
    // When memory is short, whoever reads is served on.
    if (unread > 0 && this.options.buffer.isFull) return this.endForAll();
    this.socket.send(outbox);
    this.count();
  }

  private count(): void {
    this.share.set(this.socket.bufferedBytes() + this.waitingLength);
  }

  private endForAll(): void {
    const { bytesMax } = this.options.buffer;
    this.end(closeCode.tryAgainLater, `slow consumer: all connections together left more than ${bytesMax} bytes`);
  }

  private work(text: string): void {
    this.running++;
    this.answer(text).then(
      () => this.worked(),
      () => this.worked(),
    );
  }

  private worked(): void {
    this.running--;
    if (this.over) return;
    const next = this.takeWaiting();
    if (next !== undefined) {
      this.waitingLength -= next.length + waitingOverhead;
      this.count();
      this.work(next);
    } else if (this.stopping && this.running === 0) this.end(closeCode.goingAway, 'the node stops');
  }

  private takeWaiting(): string | undefined {
    const next = this.waiting[this.taken];
    if (next === undefined) return undefined;
    this.taken++;
    if (this.taken === this.waiting.length || this.taken > takenMax) {
      this.waiting = this.waiting.slice(this.taken);
      this.taken = 0;
    }
    return next;
  }

  private async answer(text: string): Promise<void> {
    const streams = this.streams?.request();
    const request = streams === undefined ? this.request : { ...this.request, subscriptions: streams.subscriptions };
    const answer = await this.options.dispatcher.handle(text, request);
    if (answer !== null) this.send(answer.text);
    streams?.begin();
  }
}

const notUtf8 = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: jsonRpcCode.parseError, message: 'parse error: the message is not valid UTF-8' },
});

function decoded(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
