import { BusError } from './errors.ts';
import { ringMemory } from './layout.ts';
import type { LinkDescriptor, LinkLimits } from './link.ts';
import { Outbox, writeChunks } from './outbox.ts';
import { type EncodedPayload, encodeName, encodePayload } from './payload.ts';
import { type FrameHead, frameFlag, frameKind, framePayloadMax, RingWriter } from './ring.ts';

/**
 * What to do when the ring has no space. direct: BUS_FULL. queue: wait in the outbox, BUS_FULL beyond its bounds. must: wait in
 * the outbox whatever its bounds, for small frames whose number is bounded elsewhere.
 */
export type SendMode = 'direct' | 'queue' | 'must';

const empty = new Uint8Array(0);

/** The sending half of an endpoint: names, encoding, chunks, backpressure. */
export class Sender {
  readonly writer: RingWriter;
  readonly #link: string;
  readonly #limits: LinkLimits;
  readonly #outbox: Outbox;
  readonly #ringBytes: number;
  readonly #chunkBytes: number;
  /** Names that the other side knows by their index, from 1 on: each travels once, before its first message. */
  readonly #nameIds = new Map<string, number>();

  constructor({ name, memory, side, limits }: LinkDescriptor) {
    const ring = ringMemory(memory, side);
    this.writer = new RingWriter(ring);
    this.#ringBytes = ring.capacity;
    this.#chunkBytes = framePayloadMax(ring.capacity);
    this.#outbox = new Outbox(this.writer, this.#chunkBytes);
    this.#link = name;
    this.#limits = limits;
  }

  get outboxEmpty(): boolean {
    return this.#outbox.messages === 0;
  }

  /** @throws BusError `BUS_FULL`, `BUS_MESSAGE_TOO_LARGE`, `BUS_UNENCODABLE`; nothing was sent then */
  named(kind: number, name: string, correlation: number, payload: unknown, mode: SendMode): void {
    const encoded = this.#encode(name, payload);
    const nameId = this.#nameIds.get(name) ?? this.#announce(name, mode);
    this.#message(kind, nameId, correlation, encoded, mode);
  }

  /** A response or an error. @throws like {@link named} */
  reply(kind: number, correlation: number, payload: unknown, mode: SendMode): void {
    this.#message(kind, 0, correlation, this.#encode('response', payload), mode);
  }

  /** Tells the other side that nobody waits for this response any more. */
  cancel(correlation: number): void {
    this.#put({ kind: frameKind.cancel, flags: 0, nameId: 0, correlation, messageBytes: 0 }, empty, 'must');
  }

  /** Moves waiting messages into the ring. @returns whether none is left */
  flush(): boolean {
    return this.#outbox.flush();
  }

  clear(): void {
    this.#outbox.clear();
  }

  #announce(name: string, mode: SendMode): number {
    const nameId = this.#nameIds.size + 1;
    const bytes = encodeName(name);
    const head = { kind: frameKind.announce, flags: 0, nameId, correlation: 0, messageBytes: bytes.length };
    this.#put(head, bytes, mode);
    this.#nameIds.set(name, nameId);
    return nameId;
  }

  #encode(name: string, payload: unknown): EncodedPayload {
    try {
      return encodePayload(payload);
    } catch (error) {
      throw new BusError(
        `the payload of ${name} on ${this.#link} can not be encoded`,
        { code: 'BUS_UNENCODABLE', link: this.#link, name },
        { cause: error },
      );
    }
  }

  #message(kind: number, nameId: number, correlation: number, { bytes, raw }: EncodedPayload, mode: SendMode): void {
    if (bytes.length > this.#limits.messageBytesMax)
      throw new BusError(`${bytes.length} bytes are more than a message on ${this.#link} may have`, {
        code: 'BUS_MESSAGE_TOO_LARGE',
        link: this.#link,
        bytes: bytes.length,
        limit: this.#limits.messageBytesMax,
      });
    const flags = raw ? frameFlag.raw : 0;
    this.#put({ kind, flags, nameId, correlation, messageBytes: bytes.length }, bytes, mode);
  }

  #put(head: FrameHead, payload: Uint8Array, mode: SendMode): void {
    let sent = 0;
    if (this.outboxEmpty) {
      sent = writeChunks(this.writer, head, payload, 0, this.#chunkBytes);
      if (sent < 0) return;
      // A message that needs several frames may be larger than the ring: with nothing before it, it may start in any mode.
      if (payload.length <= this.#chunkBytes && mode === 'direct') this.#refuse('ring', this.#ringBytes);
    } else if (mode === 'direct') this.#refuse('ring', this.#ringBytes);
    if (mode !== 'must') this.#checkBounds(payload.length - sent);
    // The caller's bytes and the encoder's buffer are theirs to change.
    this.#outbox.push(head, new Uint8Array(payload), sent);
  }

  #checkBounds(bytes: number): void {
    if (this.#outbox.bytes + bytes > this.#limits.outboxBytesMax) this.#refuse('outbox', this.#limits.outboxBytesMax);
    if (this.#outbox.messages >= this.#limits.outboxMessagesMax) this.#refuse('outbox', this.#limits.outboxMessagesMax);
  }

  #refuse(reason: 'ring' | 'outbox', limit: number): never {
    this.writer.fullRejections++;
    throw new BusError(`${this.#link} is full (${reason})`, { code: 'BUS_FULL', link: this.#link, reason, limit });
  }
}
