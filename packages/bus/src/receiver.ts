import { type ErrorObject, errorFromObject, toErrorObject } from '@prime/primitives';
import { BusError } from './errors.ts';
import { otherSide, ringMemory } from './layout.ts';
import type { LinkDescriptor } from './link.ts';
import { Assembly } from './outbox.ts';
import { copyPayload, decodeMsgpack, decodeName } from './payload.ts';
import type { UnansweredRequest, UnansweredRequests } from './unanswered.ts';
import type { RequestContext } from './protocol.ts';
import { type FrameHead, frameFlag, frameKind, RingReader } from './ring.ts';
import type { Sender } from './sender.ts';

type AnyHandler = (payload: unknown, context: RequestContext) => unknown;

/** What a receiver needs of its endpoint. Whatever a stream handler throws goes to `onError`. */
export interface ReceiverPorts {
  readonly handlers: Readonly<Record<string, AnyHandler | undefined>>;
  readonly unanswered: UnansweredRequests;
  readonly sender: Sender;
  /** Most async request handlers in progress. */
  readonly handlersMax: number;
  /** A reply was put into the ring or the outbox. */
  readonly onReply: () => void;
  readonly onAnswered: ((waitMs: number) => void) | undefined;
  readonly onError: (error: unknown) => void;
}

/** The signal is made when a handler looks at it: most do not, and an AbortController per request is dear. */
class Context implements RequestContext {
  #controller: AbortController | null = null;
  cancelled = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.cancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  cancel(): void {
    this.cancelled = true;
    this.#controller?.abort();
  }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** The receiving half of an endpoint: reads frames, puts chunks together, calls handlers, settles requests. */
export class Receiver {
  readonly #link: string;
  readonly #ports: ReceiverPorts;
  readonly #reader: RingReader;
  readonly #assembly = new Assembly();
  /** Name and handler by name id. */
  readonly #names: { readonly name: string; readonly handler: AnyHandler | undefined }[] = [];
  /** Async handlers in progress, by correlation id. */
  readonly #running = new Map<number, Context>();
  #closed = false;
  readonly #sink = (head: FrameHead, bytes: Uint8Array, start: number, length: number): void => {
    try {
      this.#onFrame(head, bytes, start, length);
    } catch (error) {
      this.#ports.onError(error);
    }
  };

  constructor({ name, memory, side }: LinkDescriptor, ports: ReceiverPorts) {
    this.#link = name;
    this.#ports = ports;
    this.#reader = new RingReader(ringMemory(memory, otherSide(side)));
  }

  poll(framesMax: number): void {
    this.#reader.poll(framesMax, this.#sink);
    this.#reader.publishCounters();
  }

  hasFrames(): boolean {
    return this.#reader.hasFrames();
  }

  takeWriterWaiting(): boolean {
    return this.#reader.takeWriterWaiting();
  }

  countWait(): void {
    this.#reader.waits++;
    this.#reader.publishCounters();
  }

  /** Nothing more is handled; handlers in progress see their signals aborted. */
  close(): void {
    this.#closed = true;
    for (const context of this.#running.values()) context.cancel();
    this.#running.clear();
  }

  #onFrame(head: FrameHead, bytes: Uint8Array, start: number, length: number): void {
    if (this.#closed) return;
    if ((head.flags & frameFlag.more) !== 0) {
      this.#assembly.add(head.messageBytes, bytes, start, length);
      return;
    }
    if (this.#assembly.open) {
      this.#assembly.add(head.messageBytes, bytes, start, length);
      const whole = this.#assembly.take();
      this.#onMessage(head, whole, 0, whole.length);
    } else this.#onMessage(head, bytes, start, length);
  }

  #onMessage(head: FrameHead, bytes: Uint8Array, start: number, length: number): void {
    const { kind, flags, nameId, correlation } = head;
    const raw = (flags & frameFlag.raw) !== 0;
    switch (kind) {
      case frameKind.request:
        return this.#onRequest(head, bytes, start, length);
      case frameKind.response: {
        // Absent: the caller gave up before, which it was told then.
        const request = this.#takeAsked(correlation);
        if (request === undefined) return;
        try {
          request.resolve(decode(raw, bytes, start, length));
        } catch (error) {
          request.reject(errorFromObject(toErrorObject(error)));
        }
        return;
      }
      case frameKind.error: {
        const request = this.#takeAsked(correlation);
        return request?.reject(errorFromObject(decode(raw, bytes, start, length) as ErrorObject));
      }
      case frameKind.stream:
        return this.#onStream(nameId, decode(raw, bytes, start, length));
      case frameKind.announce: {
        const name = decodeName(bytes, start, length);
        const { handlers } = this.#ports;
        this.#names[nameId] = { name, handler: Object.hasOwn(handlers, name) ? handlers[name] : undefined };
        return;
      }
      default:
        return this.#running.get(correlation)?.cancel();
    }
  }

  /** The request that an answer is for. */
  #takeAsked(correlation: number): UnansweredRequest | undefined {
    const { unanswered, onAnswered } = this.#ports;
    const request = unanswered.take(correlation);
    if (request !== undefined) onAnswered?.(performance.now() - request.askedAtMs);
    return request;
  }

  #onStream(nameId: number, payload: unknown): void {
    const { name, handler } = this.#names[nameId]!;
    if (handler === undefined) throw this.#noHandler(name);
    const result = handler(payload, new Context());
    if (isPromise(result)) result.catch(this.#ports.onError);
  }

  #onRequest(head: FrameHead, bytes: Uint8Array, start: number, length: number): void {
    const { flags, nameId, correlation } = head;
    try {
      const { name, handler } = this.#names[nameId]!;
      if (handler === undefined) throw this.#noHandler(name);
      if (this.#running.size >= this.#ports.handlersMax) throw this.#tooManyHandlers();
      const context = new Context();
      const result = handler(decode((flags & frameFlag.raw) !== 0, bytes, start, length), context);
      if (isPromise(result)) this.#await(correlation, context, result);
      else this.#reply(correlation, result);
    } catch (error) {
      this.#fail(correlation, error);
    }
  }

  #await(correlation: number, context: Context, result: Promise<unknown>): void {
    this.#running.set(correlation, context);
    const finish = (settle: (value: unknown) => void) => (value: unknown) => {
      this.#running.delete(correlation);
      if (!this.#closed && !context.cancelled) settle(value);
    };
    result.then(
      finish((value) => {
        try {
          this.#reply(correlation, value);
        } catch (error) {
          this.#fail(correlation, error);
        }
      }),
      finish((error) => this.#fail(correlation, error)),
    );
  }

  /** @throws BusError when the response can not be sent; the caller must hear of it */
  #reply(correlation: number, value: unknown): void {
    // A handler may have closed the endpoint.
    if (this.#closed) return;
    this.#ports.sender.reply(frameKind.response, correlation, value, 'queue');
    this.#ports.onReply();
  }

  /** An error is small, and there are at most as many as unanswered requests: it may pass the outbox's bounds. */
  #fail(correlation: number, thrown: unknown): void {
    if (this.#closed) return;
    const object = toErrorObject(thrown);
    try {
      this.#ports.sender.reply(frameKind.error, correlation, object, 'must');
    } catch {
      // A detail that can not be encoded; code and words can.
      const { code, message } = object;
      this.#ports.sender.reply(frameKind.error, correlation, { code, message, detail: { code } }, 'must');
    }
    this.#ports.onReply();
  }

  #noHandler(name: string): BusError {
    const detail = { code: 'BUS_NO_HANDLER', link: this.#link, name } as const;
    return new BusError(`the other side of ${this.#link} has no handler of ${name}`, detail);
  }

  #tooManyHandlers(): BusError {
    const limit = this.#ports.handlersMax;
    const detail = { code: 'BUS_FULL', link: this.#link, reason: 'handlers', limit } as const;
    return new BusError(`${limit} requests on ${this.#link} are in progress`, detail);
  }
}

function decode(raw: boolean, bytes: Uint8Array, start: number, length: number): unknown {
  if (!raw) return decodeMsgpack(bytes, start, length);
  // In a ring a header stands before the payload: at 0 it is an assembled message, which is private already.
  return start === 0 ? bytes : copyPayload(bytes, start, length);
}
