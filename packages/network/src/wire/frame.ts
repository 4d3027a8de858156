import { malformedFrame, NetworkError } from '../errors.ts';

/**
 * Frames: u32 length | u8 channel | u8 type | payload, big-endian; the length counts the bytes after itself.
 *
 * The table below is the whole protocol's list of messages: number, channel and largest payload of each. A length is held against
 * the largest limit of all before channel and type are known, then against that of its message, and in both cases before memory is taken for
 * the payload: bytes are kept as they arrive and joined when the frame is complete, so that a peer that announces much and sends
 * little costs what it sent.
 */
export type ChannelName = 'control' | 'consensus' | 'bodies' | 'transactions' | 'sync';

/** The place in this list is the number on the wire. */
export const channelNames = ['control', 'consensus', 'bodies', 'transactions', 'sync'] as const;

/** Order in which waiting frames leave: 0 first. */
export type Priority = 0 | 1 | 2;

/** How one message travels. `type` is its number on the wire, unique within its channel. */
export interface FrameKind {
  readonly name: string;
  readonly channel: ChannelName;
  readonly type: number;
  /** Largest payload, bytes. */
  readonly payloadBytesMax: number;
  readonly priority: Priority;
}

const kibibyte = 1024;
/** The largest transaction that a node admits; a gossip frame must hold one with its list headers. */
const transactionBytesMax = 128 * kibibyte;
const listHeaderBytes = kibibyte;

const kind = (
  name: string,
  channel: ChannelName,
  type: number,
  payloadBytesMax: number,
  priority: Priority,
): FrameKind => ({ name, channel, type, payloadBytesMax, priority });

/** Every message that nodes exchange, by name. Numbers are part of the protocol, so a new message takes a new one. */
export const frameKinds = {
  hello: kind('hello', 'control', 1, kibibyte, 0),
  ping: kind('ping', 'control', 2, 4, 0),
  pong: kind('pong', 'control', 3, 4, 0),
  bye: kind('bye', 'control', 4, 1, 0),
  vote: kind('vote', 'consensus', 1, 64 * kibibyte, 0),
  voteCertificate: kind('voteCertificate', 'consensus', 2, 64 * kibibyte, 0),
  // A header, a certificate of 100 validators and 32 KiB of inline bodies are below 64 KiB, but the list of hashes is 33 bytes per
  // transaction: a block of 512 KiB of the smallest ones has some 5 000, and genesis may allow larger blocks.
  proposal: kind('proposal', 'consensus', 3, 1024 * kibibyte, 0),
  status: kind('status', 'consensus', 4, 64, 0),
  evidence: kind('evidence', 'consensus', 5, 32 * kibibyte, 1),
  bodiesRequest: kind('bodiesRequest', 'bodies', 1, 80 * kibibyte, 1),
  // Packed to 80 KiB; only a single body that is larger than that travels in a larger frame, alone.
  bodies: kind('bodies', 'bodies', 2, transactionBytesMax + listHeaderBytes, 1),
  transactions: kind('transactions', 'transactions', 1, transactionBytesMax + listHeaderBytes, 2),
  actions: kind('actions', 'transactions', 2, transactionBytesMax + listHeaderBytes, 2),
  // A call, with a request's number and list headers; the answer has a hash, or a code and words.
  actionRequest: kind('actionRequest', 'transactions', 3, transactionBytesMax + listHeaderBytes, 1),
  actionAnswer: kind('actionAnswer', 'transactions', 4, 2 * kibibyte, 1),
  // 2000 hashes of 33 bytes.
  pooledHashes: kind('pooledHashes', 'transactions', 5, 80 * kibibyte, 2),
  pooledRequest: kind('pooledRequest', 'transactions', 6, 80 * kibibyte, 2),
  blocksRequest: kind('blocksRequest', 'sync', 1, 64, 1),
  blocks: kind('blocks', 'sync', 2, 2048 * kibibyte, 1),
  snapshotsRequest: kind('snapshotsRequest', 'sync', 3, 64, 1),
  snapshots: kind('snapshots', 'sync', 4, 2048 * kibibyte, 1),
  chunkRequest: kind('chunkRequest', 'sync', 5, 64, 1),
  chunk: kind('chunk', 'sync', 6, 1024 * kibibyte + listHeaderBytes, 1),
  headersRequest: kind('headersRequest', 'sync', 7, 64, 1),
  headers: kind('headers', 'sync', 8, 256 * kibibyte, 1),
} as const satisfies Record<string, FrameKind>;

/** A key of {@link frameKinds}. */
export type FrameName = keyof typeof frameKinds;

/** Payload that a frame of split bodies or of split hash lists is filled to, bytes. */
export const bodiesPayloadBytes = 80 * kibibyte;

const headerBytes = 6;
const kindsByNumber: readonly (readonly (FrameName | undefined)[])[] = channelNames.map((channel) => {
  const row: (FrameName | undefined)[] = [];
  for (const [name, entry] of Object.entries(frameKinds))
    if (entry.channel === channel) row[entry.type] = name as FrameName;
  return row;
});
const payloadBytesMax = Math.max(...Object.values(frameKinds).map((entry) => entry.payloadBytesMax));

/** A frame ready to be sent; the bytes are shared by all peers that it goes to and never changed. */
export interface OutgoingFrame {
  readonly name: FrameName;
  /** Header and payload. */
  readonly bytes: Uint8Array;
}

/** A received frame; the payload is a view that is valid only during the call that hands it over. */
export interface IncomingFrame {
  readonly name: FrameName;
  readonly payload: Uint8Array;
}

function tooLarge(frame: string, size: number, limit: number): NetworkError {
  return new NetworkError(`${frame} of ${size} bytes, the limit is ${limit}`, {
    code: 'NETWORK_FRAME_TOO_LARGE',
    frame,
    size,
    limit,
  });
}

/** @throws NetworkError `NETWORK_FRAME_TOO_LARGE` */
export function encodeFrame(name: FrameName, payload: Uint8Array): OutgoingFrame {
  const { channel, type, payloadBytesMax: limit } = frameKinds[name];
  if (payload.length > limit) throw tooLarge(name, payload.length, limit);
  const bytes = new Uint8Array(headerBytes + payload.length);
  new DataView(bytes.buffer).setUint32(0, payload.length + 2);
  bytes[4] = channelNames.indexOf(channel);
  bytes[5] = type;
  bytes.set(payload, headerBytes);
  return { name, bytes };
}

/** Cuts a byte stream into frames. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #buffered = 0;

  /** Takes bytes as they arrived; they are kept, not copied, until the frame that they belong to is complete. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    mergeCrumbs(this.#chunks);
  }

  /**
   * The next complete frame, or null when more bytes are needed.
   *
   * @throws NetworkError `NETWORK_FRAME_MALFORMED`, `NETWORK_FRAME_TOO_LARGE`; the stream is unusable then
   */
  next(): IncomingFrame | null {
    if (this.#buffered < 4) return null;
    const size = this.#byteAt(0) * 0x1000000 + ((this.#byteAt(1) << 16) | (this.#byteAt(2) << 8) | this.#byteAt(3));
    if (size < 2) throw malformedFrame(`length ${size} is below 2`);
    if (size - 2 > payloadBytesMax) throw tooLarge('frame', size - 2, payloadBytesMax);
    if (this.#buffered < headerBytes) return null;
    const name = kindsByNumber[this.#byteAt(4)]?.[this.#byteAt(5)];
    if (name === undefined) throw malformedFrame(`no type ${this.#byteAt(5)} on channel ${this.#byteAt(4)}`);
    const limit = frameKinds[name].payloadBytesMax;
    if (size - 2 > limit) throw tooLarge(name, size - 2, limit);
    if (this.#buffered < size + 4) return null;
    return { name, payload: this.#take(size + 4).subarray(headerBytes) };
  }

  /** Bytes that were pushed and are not yet part of a returned frame. */
  get bufferedBytes(): number {
    return this.#buffered;
  }

  /** Byte at a position of the stream; used for the header only. */
  #byteAt(position: number): number {
    let offset = position;
    for (const chunk of this.#chunks) {
      if (offset < chunk.length) return chunk[offset]!;
      offset -= chunk.length;
    }
    return 0;
  }

  /** Joins only when the frame lies in several chunks. */
  #take(size: number): Uint8Array {
    let first = this.#chunks[0]!;
    if (first.length < size) {
      first = join(this.#chunks, this.#buffered);
      this.#chunks = [first];
    }
    if (first.length === size) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(size);
    this.#buffered -= size;
    return first.subarray(0, size);
  }
}

/** Chunks of this size are kept apart: their own overhead no longer matters. */
const crumbBytesMax = 16 * kibibyte;

/**
 * Joins small neighbours of about equal size, as a binary counter carries: a peer that sends single bytes would else cost some
 * hundred times its bytes in buffer objects. Each byte is copied a logarithmic number of times.
 */
function mergeCrumbs(chunks: Uint8Array[]): void {
  while (chunks.length > 1) {
    const last = chunks.at(-1)!;
    const previous = chunks.at(-2)!;
    if (previous.length > last.length || previous.length >= crumbBytesMax) return;
    chunks.splice(-2, 2, join([previous, last], previous.length + last.length));
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
