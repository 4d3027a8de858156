import { frameAlignment, type RingMemory } from './layout.ts';

/**
 * A ring with one writer thread and one reader thread. A frame is a header of 16 bytes and a payload, and is contiguous: where
 * it does not fit before the end of the ring, a pad frame fills the rest. So a frame may take up to twice its size, and frames
 * are limited to a quarter of the ring ({@link framePayloadMax}); longer messages travel in chunks.
 *
 * Header, little-endian words of the machine: payload bytes | kind (8), flags (8), name id (16) | correlation id | bytes of the
 * whole message.
 */
export const frameKind = { announce: 1, request: 2, response: 3, error: 4, stream: 5, cancel: 6, pad: 7 } as const;
/** raw: the payload is bytes and not msgpack; more: chunks of the same message follow. */
export const frameFlag = { raw: 1, more: 2 } as const;

const headerBytes = 16;
/** Places of the header's words, which begin with the payload's bytes. */
const [infoWord, correlationWord, messageBytesWord] = [1, 2, 3] as const;

const aligned = (bytes: number): number => (bytes + (frameAlignment - 1)) & ~(frameAlignment - 1);

/** Most payload bytes of one frame. */
export const framePayloadMax = (capacity: number): number => capacity / 4 - headerBytes;

/** First words of a frame, without its payload. */
export interface FrameHead {
  readonly kind: number;
  readonly flags: number;
  readonly nameId: number;
  readonly correlation: number;
  /** Bytes of the whole message, chunks together. */
  readonly messageBytes: number;
}

/** The one writer of a ring. Counters stay private to the thread until {@link RingWriter.publishCounters}. */
export class RingWriter {
  readonly #ring: RingMemory;
  #write: number;
  #readSeen: number;
  #messages = 0;
  #bytes = 0;
  #depthBytesMax = 0;
  fullRejections = 0;
  outboxBytesMax = 0;

  constructor(ring: RingMemory) {
    this.#ring = ring;
    this.#write = Atomics.load(ring.control, ring.words.write) >>> 0;
    this.#readSeen = Atomics.load(ring.control, ring.words.read) >>> 0;
  }

  /** Bytes in the ring as of the last look at the reader's position. */
  get depthBytes(): number {
    return (this.#write - this.#readSeen) >>> 0;
  }

  /** Whether any frame fits: the ring is at most half full, and a frame with its pad takes at most half. */
  hasSpace(): boolean {
    this.#readSeen = Atomics.load(this.#ring.control, this.#ring.words.read) >>> 0;
    return this.depthBytes <= this.#ring.capacity >>> 1;
  }

  /**
   * Copies one frame into the ring and publishes it.
   *
   * @param length at most {@link framePayloadMax}
   * @returns false and nothing written when it does not fit
   */
  tryWrite(head: FrameHead, flags: number, payload: Uint8Array, start: number, length: number): boolean {
    const { capacity, dataWords, data, control, words } = this.#ring;
    const size = aligned(headerBytes + length);
    const offset = this.#write & (capacity - 1);
    const toEnd = capacity - offset;
    const total = size > toEnd ? toEnd + size : size;
    if (capacity - this.depthBytes < total) {
      this.#readSeen = Atomics.load(control, words.read) >>> 0;
      if (capacity - this.depthBytes < total) return false;
    }
    let at = offset;
    if (size > toEnd) {
      dataWords[(offset >>> 2) + infoWord] = frameKind.pad;
      at = 0;
    }
    const word = at >>> 2;
    dataWords[word] = length;
    dataWords[word + infoWord] = head.kind | (flags << 8) | (head.nameId << 16);
    dataWords[word + correlationWord] = head.correlation;
    dataWords[word + messageBytesWord] = head.messageBytes;
    if (length > 0) {
      const whole = start === 0 && length === payload.length;
      data.set(whole ? payload : payload.subarray(start, start + length), at + headerBytes);
    }
    this.#write = (this.#write + total) >>> 0;
    Atomics.store(control, words.write, this.#write | 0);
    this.#bytes += total;
    if ((flags & frameFlag.more) === 0) this.#messages++;
    const depth = this.depthBytes;
    if (depth > this.#depthBytesMax) this.#depthBytesMax = depth;
    return true;
  }

  setWaiting(waiting: boolean): void {
    Atomics.store(this.#ring.control, this.#ring.words.writerWaiting, waiting ? 1 : 0);
  }

  /** Copies the counters to shared memory; called once per batch and not per frame. */
  publishCounters(): void {
    const { counters, places } = this.#ring;
    counters[places.messages] = this.#messages;
    counters[places.bytes] = this.#bytes;
    counters[places.depthBytesMax] = this.#depthBytesMax;
    counters[places.fullRejections] = this.fullRejections;
    counters[places.outboxBytesMax] = this.outboxBytesMax;
  }
}

/** What a reader hands on per frame; the payload lies in `data` of the ring and is valid during the call only. */
export type FrameSink = (head: FrameHead, payload: Uint8Array, start: number, length: number) => void;

/** The one reader of a ring; see {@link RingReader.poll} for when space goes back to the writer. */
export class RingReader {
  readonly #ring: RingMemory;
  /** One object is reused for all frames. */
  readonly #head: { -readonly [Field in keyof FrameHead]: number } = {
    kind: 0,
    flags: 0,
    nameId: 0,
    correlation: 0,
    messageBytes: 0,
  };
  #read: number;
  #published: number;
  #messages = 0;
  waits = 0;

  constructor(ring: RingMemory) {
    this.#ring = ring;
    this.#read = Atomics.load(ring.control, ring.words.read) >>> 0;
    this.#published = this.#read;
  }

  hasFrames(): boolean {
    return Atomics.load(this.#ring.control, this.#ring.words.write) >>> 0 !== this.#read;
  }

  /**
   * Hands frames to the sink, oldest first, until none is left or `framesMax` were handed on.
   *
   * Space goes back to the writer when an eighth of the ring was read and at the end, not per frame: each publication takes the
   * cache line from the writer.
   */
  poll(framesMax: number, sink: FrameSink): void {
    const { control, words, capacity, data, dataWords } = this.#ring;
    const head = this.#head;
    const publishBytes = capacity >>> 3;
    let remaining = framesMax;
    let write = Atomics.load(control, words.write) >>> 0;
    while (remaining > 0) {
      if (this.#read === write) {
        write = Atomics.load(control, words.write) >>> 0;
        if (this.#read === write) break;
      }
      const offset = this.#read & (capacity - 1);
      const word = offset >>> 2;
      const info = dataWords[word + infoWord]!;
      const kind = info & 0xff;
      if (kind === frameKind.pad) {
        this.#read = (this.#read + capacity - offset) >>> 0;
        continue;
      }
      const length = dataWords[word]!;
      head.kind = kind;
      head.flags = (info >>> 8) & 0xff;
      head.nameId = info >>> 16;
      head.correlation = dataWords[word + correlationWord]!;
      head.messageBytes = dataWords[word + messageBytesWord]!;
      remaining--;
      if ((head.flags & frameFlag.more) === 0) this.#messages++;
      // Before the sink, so that a frame whose handling fails is not handed on twice; the writer sees it only after.
      this.#read = (this.#read + aligned(headerBytes + length)) >>> 0;
      sink(head, data, offset + headerBytes, length);
      if ((this.#read - this.#published) >>> 0 >= publishBytes) this.#publish();
    }
    if (this.#read !== this.#published) this.#publish();
  }

  #publish(): void {
    this.#published = this.#read;
    Atomics.store(this.#ring.control, this.#ring.words.read, this.#read | 0);
  }

  /** Whether the writer waits for space and there is now enough to be worth a wake; clears the writer's mark. */
  takeWriterWaiting(): boolean {
    const { control, words, capacity } = this.#ring;
    if (Atomics.load(control, words.writerWaiting) === 0) return false;
    const depth = ((Atomics.load(control, words.write) >>> 0) - this.#read) >>> 0;
    if (depth > capacity >>> 1) return false;
    return Atomics.compareExchange(control, words.writerWaiting, 1, 0) === 1;
  }

  publishCounters(): void {
    const { counters, places } = this.#ring;
    counters[places.messagesRead] = this.#messages;
    counters[places.waits] = this.waits;
  }
}
