import { type FrameHead, frameFlag, type RingWriter } from './ring.ts';

interface OutboxEntry {
  readonly head: FrameHead;
  readonly payload: Uint8Array;
  /** Payload bytes that are already in the ring. */
  sent: number;
}

/**
 * Messages that were accepted but found no space in the ring, oldest first. Bounded in messages and bytes; drained when the
 * reader frees space. While something is in it nothing may pass it: order within a direction holds.
 */
export class Outbox {
  readonly #writer: RingWriter;
  readonly #chunkBytes: number;
  #entries: OutboxEntry[] = [];
  /** Index of the oldest entry; the array is cut when half of it is gone. */
  #first = 0;
  #bytes = 0;

  constructor(writer: RingWriter, chunkBytes: number) {
    this.#writer = writer;
    this.#chunkBytes = chunkBytes;
  }

  get messages(): number {
    return this.#entries.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param payload owned by the outbox from now on */
  push(head: FrameHead, payload: Uint8Array, sent: number): void {
    this.#entries.push({ head, payload, sent });
    this.#bytes += payload.length - sent;
    if (this.#bytes > this.#writer.outboxBytesMax) this.#writer.outboxBytesMax = this.#bytes;
  }

  /** Moves what fits into the ring. @returns whether the outbox is empty */
  flush(): boolean {
    while (this.#first < this.#entries.length) {
      const entry = this.#entries[this.#first]!;
      const from = entry.sent;
      entry.sent = writeChunks(this.#writer, entry.head, entry.payload, from, this.#chunkBytes);
      const done = entry.sent < 0;
      this.#bytes -= (done ? entry.payload.length : entry.sent) - from;
      if (!done) break;
      this.#first++;
    }
    if (this.#first * 2 >= this.#entries.length) {
      this.#entries.splice(0, this.#first);
      this.#first = 0;
    }
    return this.messages === 0;
  }

  clear(): void {
    this.#entries = [];
    this.#first = 0;
    this.#bytes = 0;
  }
}

/**
 * Writes a message from byte `sent` on, in chunks.
 *
 * @returns -1 when all of it is in the ring, else the number of bytes that are
 */
export function writeChunks(
  writer: RingWriter,
  head: FrameHead,
  payload: Uint8Array,
  sent: number,
  chunkBytes: number,
): number {
  let at = sent;
  while (payload.length - at > chunkBytes) {
    if (!writer.tryWrite(head, head.flags | frameFlag.more, payload, at, chunkBytes)) return at;
    at += chunkBytes;
  }
  return writer.tryWrite(head, head.flags, payload, at, payload.length - at) ? -1 : at;
}

/** Puts the chunks of one message together; chunks of two messages never mix. */
export class Assembly {
  #buffer: Uint8Array | null = null;
  #used = 0;

  get open(): boolean {
    return this.#buffer !== null;
  }

  add(messageBytes: number, bytes: Uint8Array, start: number, length: number): void {
    this.#buffer ??= new Uint8Array(messageBytes);
    this.#buffer.set(bytes.subarray(start, start + length), this.#used);
    this.#used += length;
  }

  take(): Uint8Array {
    const whole = this.#buffer ?? new Uint8Array(0);
    this.#buffer = null;
    this.#used = 0;
    return whole;
  }
}
