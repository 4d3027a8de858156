import type { Height } from '@prime/primitives';
import { readU32, readU64, writeU32, writeU64 } from '../files/bigEndian.ts';
import { crc32c } from '../files/crc32c.ts';

/**
 * Records of the log: `len u32 | crc32c u32 | type u8 | payload`, big-endian; `len` counts the payload.
 *
 * Files are used again in place, so behind the newest record stand the records of an older height. The checksum therefore covers
 * more than the bytes of the record: its place in the file, the generation of the file's content, and a random tag of the process
 * that wrote it. Whatever was left there by an earlier height, by a batch that a crash tore, or moved to another place, is not
 * valid where it stands. Marks are searched for, so they are bound to a secret of the log instead: what is inside of an entry
 * comes from the network, and must not be able to look like one.
 */
export const recordType = {
  /** First record of a file. */
  header: 1,
  /** First record of each later batch. A mark that is on disk proves that all batches before it were made durable. */
  mark: 2,
  entry: 3,
} as const;

/** Length, checksum and type: what stands before a payload. */
export const recordHeadBytes = 9;
/** Also the bytes of a secret: enough that nobody hits one by chance. */
export const tagBytes = 8;
/** Written into each header; a log of another format is refused. */
export const walFormat = 1;
/** Generation, tag. */
export const markPayloadBytes = 8 + tagBytes;
/** Format, height, generation, genesis hash, secret, tag. */
export const headerPayloadBytes = 1 + 8 + 8 + 32 + 2 * tagBytes;

/** What a record is bound to beside its own bytes. */
export interface RecordPlace {
  readonly generation: number;
  readonly tag: Uint8Array;
  /** Of the record in its file. */
  readonly offset: number;
}

/** First record of a file: which height it holds, of which chain, and by whom it was written. */
export interface WalHeader {
  readonly format: number;
  readonly height: Height;
  /** Counts the heights begun; the file of generation g is number g modulo 3. 0: nothing was begun in the file yet. */
  readonly generation: number;
  readonly genesisHash: Uint8Array;
  /** Random, made with the log and the same in all its files. */
  readonly secret: Uint8Array;
  /** Random, of the process that wrote the record. */
  readonly tag: Uint8Array;
}

/** A header can be read without knowing anything. */
export const headerPlace: RecordPlace = { generation: 0, tag: new Uint8Array(tagBytes), offset: 0 };

/** A mark tells generation and tag itself. */
export const markPlace = (secret: Uint8Array, offset: number): RecordPlace => ({ generation: 0, tag: secret, offset });

function checksum(place: RecordPlace, type: number, payload: Uint8Array): number {
  const context = new Uint8Array(8 + tagBytes + 4 + 4 + 1);
  writeU64(context, 0, place.generation);
  context.set(place.tag, 8);
  writeU32(context, 8 + tagBytes, place.offset);
  writeU32(context, 12 + tagBytes, payload.length);
  context[16 + tagBytes] = type;
  return crc32c(payload, crc32c(context));
}

/** Writes a record into `target` at `at`; it has room for {@link recordHeadBytes} and the payload. */
export function putRecord(
  target: Uint8Array,
  at: number,
  record: { readonly type: number; readonly payload: Uint8Array; readonly place: RecordPlace },
): void {
  writeU32(target, at, record.payload.length);
  writeU32(target, at + 4, checksum(record.place, record.type, record.payload));
  target[at + 8] = record.type;
  target.set(record.payload, at + recordHeadBytes);
}

/** @returns the payload, a view, of an intact record of this type at the place; else null */
export function readRecord(bytes: Uint8Array, type: number, place: RecordPlace): Uint8Array | null {
  const { offset } = place;
  if (offset + recordHeadBytes > bytes.length || bytes[offset + 8] !== type) return null;
  const start = offset + recordHeadBytes;
  const end = start + readU32(bytes, offset);
  if (end > bytes.length) return null;
  const payload = bytes.subarray(start, end);
  return checksum(place, type, payload) === readU32(bytes, offset + 4) ? payload : null;
}

/**
 * Payload of a header record, {@link headerPayloadBytes} long: format u8, height u64, generation u64, then the three
 * byte strings.
 */
export function encodeHeader(header: WalHeader): Uint8Array {
  const payload = new Uint8Array(headerPayloadBytes);
  payload[0] = header.format;
  writeU64(payload, 1, header.height);
  writeU64(payload, 9, header.generation);
  payload.set(header.genesisHash, 17);
  payload.set(header.secret, 49);
  payload.set(header.tag, 49 + tagBytes);
  return payload;
}

/** @returns null unless an intact header stands at the start */
export function readHeader(bytes: Uint8Array): WalHeader | null {
  const payload = readRecord(bytes, recordType.header, headerPlace);
  if (payload === null || payload.length !== headerPayloadBytes) return null;
  return {
    format: payload[0]!,
    height: readU64(payload, 1) as Height,
    generation: readU64(payload, 9),
    genesisHash: payload.slice(17, 49),
    secret: payload.slice(49, 49 + tagBytes),
    tag: payload.slice(49 + tagBytes),
  };
}

/** Says that everything before it in the file was durable: damage there is no torn tail. */
export interface WalMark {
  readonly generation: number;
  readonly tag: Uint8Array;
}

/** Payload of a mark record, {@link markPayloadBytes} long: generation u64, tag. */
export function encodeMark(mark: WalMark): Uint8Array {
  const payload = new Uint8Array(markPayloadBytes);
  writeU64(payload, 0, mark.generation);
  payload.set(mark.tag, 8);
  return payload;
}

/** @returns null unless an intact mark stands at the offset */
export function readMark(bytes: Uint8Array, secret: Uint8Array, offset: number): WalMark | null {
  if (offset + recordHeadBytes > bytes.length || readU32(bytes, offset) !== markPayloadBytes) return null;
  const payload = readRecord(bytes, recordType.mark, markPlace(secret, offset));
  return payload === null ? null : { generation: readU64(payload, 0), tag: payload.subarray(8) };
}
