import { types } from 'node:util';
import { Packr, RESET_BUFFER_MODE } from 'msgpackr';

/**
 * Payloads. A Uint8Array travels as its bytes (hot edges with a layout of their own), anything else as msgpack.
 *
 * What comes out equals what went in: bigints of any size, plain Uint8Array (never a Buffer, never a view on shared memory),
 * undefined, nested plain objects and arrays. Not carried: Map and Set, class instances (they arrive as plain objects), -0 and
 * lone surrogates.
 */
const packr = new Packr({
  // Records would save key names, but their definitions live in the stream, and a message refused for a full ring would
  // take a definition with it.
  useRecords: false,
  useBigIntExtension: true,
  mapsAsObjects: true,
  copyBuffers: true,
});

/** `raw` says that `bytes` are the payload itself, and not msgpack. One object is filled anew for each message. */
export interface EncodedPayload {
  bytes: Uint8Array;
  raw: boolean;
}

const encoded: EncodedPayload = { bytes: new Uint8Array(0), raw: false };

// msgpackr keeps the buffer that its largest message needed.
const packBufferBytes = 64 * 1024;
const packedBytesKept = 1024 * 1024;
packr.useBuffer(Buffer.allocUnsafeSlow(packBufferBytes));

/** @returns one reused object, whose bytes are valid until the next call */
export function encodePayload(value: unknown): EncodedPayload {
  encoded.raw = types.isUint8Array(value);
  if (encoded.raw) encoded.bytes = value as Uint8Array;
  else {
    encoded.bytes = packr.pack(value, RESET_BUFFER_MODE);
    if (encoded.bytes.length > packedBytesKept) packr.useBuffer(Buffer.allocUnsafeSlow(packBufferBytes));
  }
  return encoded;
}

// Decoding straight from shared memory is slow (19 µs and more with msgpackr's native part) and TextDecoder refuses it, so
// payloads are copied here first. A plain Uint8Array, because from a Buffer msgpackr cuts Buffers.
const scratchBytes = 64 * 1024;
const scratch = new Uint8Array(scratchBytes);

/** Decodes msgpack that lies in `bytes[start, start + length)`. */
export function decodeMsgpack(bytes: Uint8Array, start: number, length: number): unknown {
  if (length > scratch.length) {
    // Large messages are rare: their buffer is not kept.
    return packr.unpack(bytes.slice(start, start + length));
  }
  scratch.set(bytes.subarray(start, start + length));
  return packr.unpack(scratch, length);
}

// Small payloads are cut from slabs, as Buffer does: a fresh 200-byte Uint8Array costs 350 ns, a cut 100 ns.
const slabBytes = 16 * 1024;
const slabPayloadBytesMax = 1024;
let slab = new Uint8Array(slabBytes);
let slabUsed = 0;

/** A private copy of `bytes[start, start + length)`. */
export function copyPayload(bytes: Uint8Array, start: number, length: number): Uint8Array {
  // Up to 64 bytes V8 keeps the bytes in the object itself, which is as cheap as a cut.
  if (length <= 64 || length > slabPayloadBytesMax) return bytes.slice(start, start + length);
  if (slabUsed + length > slabBytes) {
    slab = new Uint8Array(slabBytes);
    slabUsed = 0;
  }
  const copy = slab.subarray(slabUsed, slabUsed + length);
  copy.set(bytes.subarray(start, start + length));
  slabUsed = (slabUsed + length + 7) & ~7;
  return copy;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** A name as UTF-8, as an announcement carries it: each name travels once, and its number stands for it afterwards. */
export const encodeName = (name: string): Uint8Array => encoder.encode(name);
/** Undoes {@link encodeName}. Copied first, because TextDecoder refuses shared memory. */
export const decodeName = (bytes: Uint8Array, start: number, length: number): string =>
  decoder.decode(bytes.slice(start, start + length));
