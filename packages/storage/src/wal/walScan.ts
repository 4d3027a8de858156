import { Buffer } from 'node:buffer';
import {
  headerPayloadBytes,
  markPayloadBytes,
  readHeader,
  readMark,
  readRecord,
  recordHeadBytes,
  recordType,
  type WalHeader,
} from './walRecord.ts';

/** What one file of the log holds. */
export interface WalContent {
  readonly header: WalHeader;
  /** Copies. */
  readonly entries: readonly Uint8Array[];
  /** Where the intact records end. */
  readonly end: number;
}

/** Reads intact records from the start of a file; null when not even the header is one. */
export function readContent(bytes: Uint8Array): WalContent | null {
  const header = readHeader(bytes);
  if (header === null) return null;
  const { generation, secret } = header;
  const entries: Uint8Array[] = [];
  let { tag } = header;
  let end = recordHeadBytes + headerPayloadBytes;
  for (;;) {
    const mark = readMark(bytes, secret, end);
    if (mark !== null && mark.generation === generation) {
      tag = mark.tag;
      end += recordHeadBytes + markPayloadBytes;
      continue;
    }
    const entry = readRecord(bytes, recordType.entry, { generation, tag, offset: end });
    if (entry === null) return { header, entries, end };
    entries.push(entry.slice());
    end += recordHeadBytes + entry.length;
  }
}

/**
 * The newest generation that an intact mark behind `from` belongs to, and where it stands.
 *
 * Only marks are looked for: they have one length, so that the search is linear in the file's size even when whoever sends
 * transactions fills the log with bytes that look like heads of records.
 */
export function newestMark(
  bytes: Uint8Array,
  secret: Uint8Array,
  from: number,
): { readonly generation: number; readonly offset: number } | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let newest: { generation: number; offset: number } | null = null;
  // The last byte of a mark's length: a search for one byte runs at the speed of memory.
  for (let at = buffer.indexOf(markPayloadBytes, from + 3); at >= 0; at = buffer.indexOf(markPayloadBytes, at + 1)) {
    const offset = at - 3;
    const mark = readMark(bytes, secret, offset);
    if (mark !== null && (newest === null || mark.generation > newest.generation))
      newest = { generation: mark.generation, offset };
  }
  return newest;
}
