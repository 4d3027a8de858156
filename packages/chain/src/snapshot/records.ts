import { snapshotChunkBytes } from '@prime/codec';
import { assert, concatBytes } from '@prime/primitives';
import { ChainError } from '../errors.ts';

/**
 * The stream inside of a snapshot: records one after the other, each key length (u16) | key | value length (u32) | value, big-endian. Chunks
 * are the stream cut every MiB, wherever that falls.
 */
export interface SnapshotRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const headBytes = 6;
/** Bytes of a value. The largest ones, a block and what contracts left to the next one, are far below; a longer one would be held for ever. */
const valueBytesMax = 16 << 20;

/** Cuts a stream of records into chunks. */
export interface ChunkWriter {
  /** @returns the chunks that are full now */
  add(record: SnapshotRecord): Uint8Array[];
  /** The rest; null when there is none. */
  end(): Uint8Array | null;
}

/** @param chunkBytes length of each chunk but the last; as long as the format says when absent */
export function createChunkWriter(chunkBytes = snapshotChunkBytes): ChunkWriter {
  let chunk = new Uint8Array(chunkBytes);
  let size = 0;
  const head = new Uint8Array(4);
  const view = new DataView(head.buffer);
  /** @param full takes what is full then */
  const write = (bytes: Uint8Array, full: Uint8Array[]): void => {
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + chunkBytes - size);
      chunk.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), size);
      size += to - from;
      from = to;
      if (size < chunkBytes) return;
      full.push(chunk);
      chunk = new Uint8Array(chunkBytes);
      size = 0;
    }
  };
  const keyHead = head.subarray(0, 2);
  return {
    add({ key, value }) {
      const full: Uint8Array[] = [];
      view.setUint16(0, key.length);
      write(keyHead, full);
      write(key, full);
      view.setUint32(0, value.length);
      write(head, full);
      write(value, full);
      return full;
    },
    end: () => (size === 0 ? null : chunk.slice(0, size)),
  };
}

/** Reads records out of chunks, in order. */
export interface RecordReader {
  /** @returns the records that are complete now. @throws ChainError `CHAIN_SNAPSHOT_REFUSED` */
  add(chunk: Uint8Array): SnapshotRecord[];
  /** Bytes of a record that is not complete. */
  readonly rest: number;
}

/**
 * Records may begin in one chunk and end in another.
 *
 * @throws (add) ChainError `CHAIN_SNAPSHOT_REFUSED` for one that is too long
 */
export function createRecordReader(): RecordReader {
  let left = new Uint8Array(0);
  return {
    add(chunk) {
      const bytes = left.length === 0 ? chunk : concatBytes(left, chunk);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const records: SnapshotRecord[] = [];
      let offset = 0;
      for (;;) {
        if (bytes.length - offset < headBytes) break;
        const keyEnd = offset + 2 + view.getUint16(offset);
        if (bytes.length < keyEnd + 4) break;
        const valueBytes = view.getUint32(keyEnd);
        if (valueBytes > valueBytesMax) throw tooLong(valueBytes);
        const valueEnd = keyEnd + 4 + valueBytes;
        if (bytes.length < valueEnd) break;
        records.push({ key: bytes.slice(offset + 2, keyEnd), value: bytes.slice(keyEnd + 4, valueEnd) });
        offset = valueEnd;
      }
      assert(offset <= bytes.length, 'a record ends inside of what was read');
      left = new Uint8Array(bytes.slice(offset));
      return records;
    },
    get rest() {
      return left.length;
    },
  };
}

function tooLong(bytes: number): ChainError {
  const reason = `a record of ${bytes} bytes, at most ${valueBytesMax} are allowed`;
  return new ChainError(`the snapshot is refused: ${reason}`, { code: 'CHAIN_SNAPSHOT_REFUSED', reason });
}
