import { performance } from 'node:perf_hooks';
import { BusError, type CloseReason } from './errors.ts';
import { otherSide, ringMemory, sideState, sideWords } from './layout.ts';
import type { LinkDescriptor } from './link.ts';
import { UnansweredRequests } from './unanswered.ts';
import type {
  Handlers,
  Protocol,
  RequestName,
  RequestPayload,
  ResponsePayload,
  StreamName,
  StreamPayload,
} from './protocol.ts';
import { Receiver } from './receiver.ts';
import { frameKind } from './ring.ts';
import { Sender } from './sender.ts';

/** How one request waits: for room in the ring, and for its answer. */
export interface RequestOptions {
  /** How long to wait for the response, in ms; Infinity: as long as the link lives. Default: the link's. */
  readonly deadlineMs?: number;
  /** Gives the request up when it is aborted. */
  readonly signal?: AbortSignal;
  /** While the ring is full: `refuse` (the default), or `wait` in the bounded outbox as {@link Endpoint.sendReliable} does. */
  readonly whenFull?: 'refuse' | 'wait';
}

/** How a message of {@link Endpoint.sendReliable} reaches the other side. */
export interface ReliableOptions {
  /**
   * Whether the other side is woken for it, default true. A message that nobody waits for may lie until something else wakes the other
   * side, a later message or the end of the link, and costs no thread switch of its own then.
   */
  readonly wakes?: boolean;
}

/** What one end of a link does with what arrives. Every callback runs in the thread of the endpoint. */
export interface EndpointOptions<Incoming extends Protocol> {
  readonly handlers: Handlers<Incoming>;
  /** Called once, after the last message that arrived was handled. */
  readonly onClose?: (reason: CloseReason) => void;
  /**
   * A stream handler failed, or a message could not be decoded. Default: throw it as an uncaught exception of this thread, because
   * nobody else would hear of it.
   */
  readonly onError?: (error: unknown) => void;
  /** A request of this side was answered, or refused by its handler. @param waitMs since it was asked */
  readonly onAnswered?: (waitMs: number) => void;
}

/** Frames handled before other events of the thread (sockets, timers) get their turn. */
const framesPerTurnMax = 512;
const noOptions: RequestOptions = {};

/**
 * Opens one end of a link in this thread, once per end. Messages that the other side sent before are handled then.
 *
 * The endpoint sleeps on its message port: the other side posts a nudge when it has something and this side sleeps, at most one
 * for any number of frames. The port is referenced, so a thread with nothing but an endpoint lives until {@link Endpoint.close},
 * or until the other side is gone.
 */
export function openEndpoint<Outgoing extends Protocol, Incoming extends Protocol>(
  descriptor: LinkDescriptor,
  options: EndpointOptions<Incoming>,
): Endpoint<Outgoing> {
  return new Endpoint<Outgoing>(descriptor, options as EndpointOptions<Protocol>);
}

/** One end of a link in the thread that uses it. */
export class Endpoint<Outgoing extends Protocol> {
  readonly name: string;
  readonly #descriptor: LinkDescriptor;
  readonly #options: EndpointOptions<Protocol>;
  readonly #control: Int32Array;
  readonly #own: (typeof sideWords)['a'];
  readonly #peer: (typeof sideWords)['a'];
  readonly #sender: Sender;
  readonly #receiver: Receiver;
  readonly #unanswered: UnansweredRequests;
  #closeReason: CloseReason | null = null;
  #inTurn = false;
  #flushScheduled = false;
  /** Messages were sent since the counters were last published. */
  #unpublished = false;
  #peerLost = false;

  constructor(descriptor: LinkDescriptor, options: EndpointOptions<Protocol>) {
    const { name, memory, side, port, limits } = descriptor;
    this.name = name;
    this.#descriptor = descriptor;
    this.#options = options;
    this.#control = ringMemory(memory, side).control;
    this.#own = sideWords[side];
    this.#peer = sideWords[otherSide(side)];
    this.#sender = new Sender(descriptor);
    this.#unanswered = new UnansweredRequests((correlation, request) => {
      this.#giveUp(correlation);
      const detail = { code: 'BUS_DEADLINE', link: name, name: request.name, deadlineMs: request.deadlineMs } as const;
      request.reject(new BusError(`no answer to ${request.name} on ${name} in ${request.deadlineMs} ms`, detail));
    });
    this.#receiver = new Receiver(descriptor, {
      handlers: options.handlers as Readonly<Record<string, never>>,
      unanswered: this.#unanswered,
      sender: this.#sender,
      handlersMax: 2 * limits.unansweredMax,
      onReply: () => this.#afterSend(),
      onAnswered: options.onAnswered,
      onError: (error) => this.#reportError(error),
    });
    Atomics.store(this.#control, this.#own.state, sideState.open);
    port.on('message', () => this.#turn());
    port.on('close', () => this.#onPortClosed());
    setImmediate(() => this.#turn());
  }

  /**
   * Asks the other side.
   *
   * @throws (rejects) BusError `BUS_FULL` (nothing was sent), `BUS_DEADLINE`, `BUS_CANCELLED`, `BUS_CLOSED`, `BUS_NO_HANDLER`,
   *   `BUS_MESSAGE_TOO_LARGE`, `BUS_UNENCODABLE`; or a PrimeError with the code that the handler threw (`INTERNAL` for others)
   */
  request<N extends RequestName<Outgoing>>(
    name: N,
    payload: RequestPayload<Outgoing, N>,
    options: RequestOptions = noOptions,
  ): Promise<ResponsePayload<Outgoing, N>> {
    // Whatever is thrown inside of the executor rejects the promise.
    return new Promise<unknown>((resolve, reject) => {
      this.#checkOpen();
      const { limits } = this.#descriptor;
      const { deadlineMs = limits.deadlineMs, signal = null, whenFull = 'refuse' } = options;
      if (signal?.aborted === true) throw this.#cancelled(name, signal);
      if (this.#unanswered.count >= limits.unansweredMax) throw this.#tooManyUnanswered();
      const correlation = this.#unanswered.nextCorrelation();
      this.#sender.named(frameKind.request, name, correlation, payload, whenFull === 'wait' ? 'queue' : 'direct');
      const onAbort = signal === null ? null : () => this.#onAbort(correlation);
      const askedAtMs = performance.now();
      const deadlineAtMs = askedAtMs + deadlineMs;
      this.#unanswered.add(correlation, {
        name,
        resolve,
        reject,
        askedAtMs,
        deadlineAtMs,
        deadlineMs,
        signal,
        onAbort,
      });
      if (onAbort !== null) signal?.addEventListener('abort', onAbort);
      this.#afterSend();
    }) as Promise<ResponsePayload<Outgoing, N>>;
  }

  /** Sends one way. @throws BusError `BUS_FULL` (nothing was sent), `BUS_CLOSED`, `BUS_MESSAGE_TOO_LARGE`, `BUS_UNENCODABLE` */
  send<N extends StreamName<Outgoing>>(name: N, payload: StreamPayload<Outgoing, N>): void {
    this.#checkOpen();
    this.#sender.named(frameKind.stream, name, 0, payload, 'direct');
    this.#afterSend();
  }

  /**
   * Sends one way; while the ring is full the message waits in a bounded outbox. Until it is sent, `send` and `request` are
   * refused with BUS_FULL, because nothing overtakes.
   *
   * @throws BusError `BUS_FULL` when the outbox is at its bound, and else like {@link send}
   */
  sendReliable<N extends StreamName<Outgoing>>(
    name: N,
    payload: StreamPayload<Outgoing, N>,
    { wakes = true }: ReliableOptions = {},
  ): void {
    this.#checkOpen();
    this.#sender.named(frameKind.stream, name, 0, payload, 'queue');
    this.#afterSend(wakes);
  }

  /** Ends the link for both sides; requests in flight fail with BUS_CLOSED, what waits in the outbox is dropped. Idempotent. */
  close(): void {
    this.#shut('closed');
  }

  /**
   * Wakes the other side with the first of many messages: waking takes longer (10 to 80 µs) than writing the others, and they are
   * there when it looks. Measured with 64 requests in flight: 60 messages per wake, as with a wake after the last one, and 1.4
   * times the rate. Counters and outbox wait until the code that sends has run to its end.
   */
  #afterSend(wakes = true): void {
    this.#unpublished = true;
    if (wakes) this.#wakePeer();
    if (this.#inTurn || this.#flushScheduled) return;
    this.#flushScheduled = true;
    queueMicrotask(() => {
      this.#flushScheduled = false;
      if (this.#closeReason === null) this.#flush();
    });
  }

  #flush(): void {
    if (!this.#sender.outboxEmpty) this.#sendWaiting();
    if (!this.#unpublished) return;
    this.#unpublished = false;
    this.#sender.writer.publishCounters();
  }

  /** Fills the ring from the outbox; when something is left, marks that space is waited for. */
  #sendWaiting(): void {
    const { writer } = this.#sender;
    this.#unpublished = true;
    while (!this.#sender.flush()) {
      writer.setWaiting(true);
      // The reader may have freed the space before it could see the mark.
      if (!writer.hasSpace()) break;
    }
    this.#wakePeer();
  }

  #wakePeer(): void {
    if (Atomics.load(this.#control, this.#peer.sleeping) === 0) return;
    if (Atomics.compareExchange(this.#control, this.#peer.sleeping, 1, 0) === 1) this.#descriptor.port.postMessage(0);
  }

  /** Handles what arrived, sends what waits, and sleeps when there is nothing more to do. */
  #turn(): void {
    if (this.#closeReason !== null) return;
    // A nudge and a scheduled turn may meet: whoever comes first does the work.
    Atomics.store(this.#control, this.#own.sleeping, 0);
    this.#inTurn = true;
    this.#receiver.poll(framesPerTurnMax);
    this.#inTurn = false;
    if (this.#closeReason !== null) return;
    this.#flush();
    if (this.#receiver.takeWriterWaiting()) this.#wakePeer();
    if (this.#receiver.hasFrames()) setImmediate(() => this.#turn());
    else this.#sleep();
  }

  #sleep(): void {
    this.#receiver.countWait();
    Atomics.store(this.#control, this.#own.sleeping, 1);
    // Before the look for frames: what the other side wrote before it closed is then seen.
    const peerClosed = Atomics.load(this.#control, this.#peer.state) === sideState.closed;
    const somethingToDo = this.#receiver.hasFrames() || (!this.#sender.outboxEmpty && this.#sender.writer.hasSpace());
    if (!somethingToDo) {
      if (peerClosed) this.#shut('peerClosed');
      else if (this.#peerLost) this.#shut('peerLost');
      return;
    }
    // When the mark is gone already, a nudge is on its way.
    if (Atomics.compareExchange(this.#control, this.#own.sleeping, 1, 0) === 1) setImmediate(() => this.#turn());
  }

  /** The other port is gone: by close(), or with its thread. What it had written before is still handled. */
  #onPortClosed(): void {
    this.#peerLost = true;
    setImmediate(() => this.#turn());
  }

  #shut(reason: CloseReason): void {
    if (this.#closeReason !== null) return;
    this.#closeReason = reason;
    Atomics.store(this.#control, this.#own.state, sideState.closed);
    this.#sender.clear();
    this.#sender.writer.publishCounters();
    this.#receiver.close();
    this.#wakePeer();
    this.#descriptor.port.close();
    for (const request of this.#unanswered.takeAll()) request.reject(this.#closedError());
    this.#options.onClose?.(reason);
  }

  #onAbort(correlation: number): void {
    const request = this.#unanswered.take(correlation);
    if (request === undefined) return;
    this.#giveUp(correlation);
    request.reject(this.#cancelled(request.name, request.signal!));
  }

  #giveUp(correlation: number): void {
    if (this.#closeReason !== null) return;
    this.#sender.cancel(correlation);
    this.#afterSend();
  }

  #reportError(error: unknown): void {
    if (this.#options.onError !== undefined) this.#options.onError(error);
    else
      setImmediate(() => {
        throw error;
      });
  }

  #checkOpen(): void {
    if (this.#closeReason !== null) throw this.#closedError();
  }

  #closedError(): BusError {
    const reason = this.#closeReason ?? 'closed';
    return new BusError(`${this.name} is closed (${reason})`, { code: 'BUS_CLOSED', link: this.name, reason });
  }

  #cancelled(name: string, signal: AbortSignal): BusError {
    const detail = { code: 'BUS_CANCELLED', link: this.name, name } as const;
    return new BusError(`${name} on ${this.name} was cancelled`, detail, { cause: signal.reason });
  }

  #tooManyUnanswered(): BusError {
    const limit = this.#descriptor.limits.unansweredMax;
    this.#sender.writer.fullRejections++;
    const detail = { code: 'BUS_FULL', link: this.name, reason: 'pending', limit } as const;
    return new BusError(`${limit} requests on ${this.name} are unanswered`, detail);
  }
}
