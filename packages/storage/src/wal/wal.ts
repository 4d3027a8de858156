import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import type { Wal } from '@prime/engine';
import { assert, bytesToHex, type Hash, type Height, hexToBytes } from '@prime/primitives';
import { messageOf, StorageError, systemCodeOf } from '../errors.ts';
import { type FileLayer, nodeFiles, type StorageFile } from '../files.ts';
import {
  encodeHeader,
  encodeMark,
  headerPayloadBytes,
  markPayloadBytes,
  putRecord,
  type RecordPlace,
  recordHeadBytes,
  recordType,
  tagBytes,
  unbound,
  walFormat,
} from './walRecord.ts';
import { newestMark, readContent, type WalContent } from './walScan.ts';

/**
 * The write-ahead log on disk: three files of fixed size that are used in turn, one height each.
 *
 * A file per height that is created, synced and later deleted costs a journal commit of the file system for each of these, on the
 * path of every block: 0.8 ms here, and tens of them on a disk without a write cache. Written in place, a height costs nothing to
 * begin: its header is buffered and goes to disk with the first batch. When that is lost in a crash, nothing was signed at the
 * height either. docs/protocol/wal.md has the layout, the rules of recovery and the measurements.
 */

/** The height in progress and the two before it. */
export const walFiles = 3;
/** Size to which files are made, bytes; a file that grew beyond four times of it is cut back when its turn comes. */
const fileBytesDefault = 4 << 20;
const fileGrowthMax = 4;
/** Longest entry, bytes; far beyond the largest block. */
export const walEntryBytesMax = 1 << 28;

export interface WalOptions {
  readonly genesisHash: Hash;
  /** Bytes that a file is made with. */
  readonly fileBytes?: number;
  readonly files?: FileLayer;
}

/** Name of the file that holds a generation. */
export const walFileName = (generation: number): string => `wal.${generation % walFiles}`;

/**
 * Opens the log and finds the newest height in it. A tail that was torn before it was synced is dropped.
 *
 * @throws StorageError `WAL_CORRUPT` (damage before records that were made durable later), `WAL_FOREIGN`, `WAL_READ_FAILED`,
 * `WAL_WRITE_FAILED`
 */
export function openWal(dir: string, options: WalOptions): Wal {
  const layer = options.files ?? nodeFiles;
  const fileBytes = options.fileBytes ?? fileBytesDefault;
  const files: OpenFile[] = [];
  try {
    for (let index = 0; index < walFiles; index++) files.push(openFile(layer, dir, index, fileBytes));
    const newest = findNewest(files, hexToBytes(options.genesisHash, 32));
    return new FileWal({ files, newest, fileBytes, genesisHash: options.genesisHash });
  } catch (error) {
    for (const { file } of files) file.close();
    throw error;
  }
}

interface OpenFile {
  readonly path: string;
  readonly file: StorageFile;
  /** Bytes. */
  readonly size: number;
  readonly content: WalContent | null;
  /** Newest mark behind the intact records. */
  readonly markBehind: ReturnType<typeof newestMark>;
}

function openFile(layer: FileLayer, dir: string, index: number, fileBytes: number): OpenFile {
  const path = join(dir, walFileName(index));
  let file = attempt('WAL_READ_FAILED', path, () => layer.open(path));
  if (file === null)
    file = attempt('WAL_WRITE_FAILED', path, () => {
      layer.makeFolder(dir);
      layer.create(path, new Uint8Array(fileBytes));
      return layer.open(path);
    });
  assert(file !== null, `${path} is there, it was just made`);
  const opened = file;
  try {
    const bytes = attempt('WAL_READ_FAILED', path, () => opened.read());
    const content = readContent(bytes);
    return { path, file, size: bytes.length, content, markBehind: newestMark(bytes, content?.end ?? 0) };
  } catch (error) {
    file.close();
    throw error;
  }
}

function findNewest(files: readonly OpenFile[], genesisHash: Uint8Array): WalContent | null {
  let newest: WalContent | null = null;
  for (const [index, { path, content }] of files.entries()) {
    if (content === null) continue;
    checkHeader(path, index, content, genesisHash);
    if (newest === null || content.header.generation > newest.header.generation) newest = content;
  }
  const generation = newest?.header.generation ?? 0;
  for (const { path, content, markBehind } of files) {
    if (markBehind === null || markBehind.generation < generation) continue;
    // Marks of the newest generation stand in its own file only; one behind the intact part means that a batch before it is gone.
    throw corrupt(path, content?.end ?? 0, `records at offset ${markBehind.offset} were made durable after it`);
  }
  return newest;
}

function checkHeader(path: string, index: number, { header }: WalContent, genesisHash: Uint8Array): void {
  const found = bytesToHex(header.genesisHash);
  const expected = bytesToHex(genesisHash);
  if (header.format !== walFormat || found !== expected) {
    const shown = {
      found: `format ${header.format}, genesis ${found}`,
      expected: `format ${walFormat}, genesis ${expected}`,
    };
    throw new StorageError(`${path} is the log of another network: ${shown.found}; this one has ${shown.expected}`, {
      code: 'WAL_FOREIGN',
      path,
      ...shown,
    });
  }
  if (header.generation % walFiles !== index || header.generation === 0)
    throw corrupt(path, 0, `the header's generation ${header.generation} does not belong in this file`);
}

const corrupt = (path: string, offset: number, reason: string): StorageError =>
  new StorageError(`${path} is damaged at offset ${offset}: ${reason}`, { code: 'WAL_CORRUPT', path, offset, reason });

/** Runs work on the log's files. @throws StorageError with the code, the cause in it */
export function attempt<T>(code: 'WAL_READ_FAILED' | 'WAL_WRITE_FAILED', path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const action = code === 'WAL_READ_FAILED' ? 'read' : 'write';
    throw new StorageError(
      `can not ${action} ${path}: ${messageOf(cause)}`,
      { code, path, systemCode: systemCodeOf(cause) },
      { cause },
    );
  }
}

class FileWal implements Wal {
  readonly #files: readonly OpenFile[];
  readonly #fileBytes: number;
  readonly #genesisHash: Uint8Array;
  /** Of this process: what a crashed one left unconfirmed must not become valid again among our records. */
  readonly #tag = randomFillSync(new Uint8Array(tagBytes));
  #found: { readonly height: Height; readonly entries: readonly Uint8Array[] } | null;
  /** 0 before the first height. */
  #generation: number;
  /** Where the buffered batch will stand in the file. */
  #end: number;
  readonly #sizes: number[];
  #batch = new Uint8Array(64 << 10);
  #batchLength = 0;
  #wrote = false;
  #state: 'open' | 'failed' | 'closed' = 'open';

  constructor(options: {
    readonly files: readonly OpenFile[];
    readonly newest: WalContent | null;
    readonly fileBytes: number;
    readonly genesisHash: Hash;
  }) {
    const { newest } = options;
    this.#files = options.files;
    this.#fileBytes = options.fileBytes;
    this.#sizes = options.files.map(({ size }) => size);
    this.#genesisHash = hexToBytes(options.genesisHash, 32);
    this.#found = newest === null ? null : { height: newest.header.height, entries: newest.entries };
    this.#generation = newest?.header.generation ?? 0;
    this.#end = newest?.end ?? 0;
  }

  replay(): { readonly height: Height; readonly entries: readonly Uint8Array[] } | null {
    return this.#found;
  }

  beginHeight(height: Height): void {
    this.#checkUsable();
    // What the height before has buffered protects nothing any more; it is kept for whoever looks at the log later.
    this.#flush();
    this.#found = null;
    this.#generation += 1;
    this.#end = 0;
    this.#cutBack();
    const header = {
      format: walFormat,
      height,
      generation: this.#generation,
      genesisHash: this.#genesisHash,
      tag: this.#tag,
    };
    this.#put(recordType.header, encodeHeader(header), unbound(0), headerPayloadBytes);
  }

  append(entry: Uint8Array): void {
    this.#checkUsable();
    assert(this.#generation > 0, 'a height is begun before entries are appended');
    assert(entry.length <= walEntryBytesMax, `a log entry has at most ${walEntryBytesMax} bytes, got ${entry.length}`);
    if (this.#batchLength === 0) this.#putMark();
    const place = { generation: this.#generation, tag: this.#tag, offset: this.#end + this.#batchLength };
    this.#put(recordType.entry, entry, place, entry.length);
  }

  sync(): void {
    this.#checkUsable();
    if (this.#batchLength === 0) return;
    this.#flush();
    this.#write(({ file }) => file.sync());
  }

  /** Confirms the last batch with a mark, so that damage to it is told from a torn tail, and closes the files. */
  close(): void {
    if (this.#state === 'closed') return;
    try {
      if (this.#state === 'open') {
        this.sync();
        if (this.#wrote) {
          this.#putMark();
          this.sync();
        }
      }
    } finally {
      this.#state = 'closed';
      for (const { file } of this.#files) file.close();
    }
  }

  #putMark(): void {
    const mark = encodeMark({ generation: this.#generation, tag: this.#tag });
    this.#put(recordType.mark, mark, unbound(this.#end + this.#batchLength), markPayloadBytes);
  }

  #put(type: number, payload: Uint8Array, place: RecordPlace, length: number): void {
    const needed = this.#batchLength + recordHeadBytes + length;
    if (needed > this.#batch.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.#batch.subarray(0, this.#batchLength));
      this.#batch = larger;
    }
    putRecord(this.#batch, this.#batchLength, { type, payload, place });
    this.#batchLength = needed;
  }

  #flush(): void {
    const length = this.#batchLength;
    if (length === 0) return;
    this.#write(({ file }) => file.write(this.#batch.subarray(0, length), this.#end));
    this.#batchLength = 0;
    this.#end += length;
    this.#wrote = true;
    const index = this.#generation % walFiles;
    this.#sizes[index] = Math.max(this.#sizes[index]!, this.#end);
  }

  #cutBack(): void {
    const index = this.#generation % walFiles;
    if (this.#sizes[index]! <= fileGrowthMax * this.#fileBytes) return;
    this.#write(({ file }) => file.resize(this.#fileBytes));
    this.#sizes[index] = this.#fileBytes;
  }

  /** After a failed write or sync the system may have dropped the pages: trying again would lie. */
  #write(work: (file: OpenFile) => void): void {
    const open = this.#files[this.#generation % walFiles]!;
    try {
      attempt('WAL_WRITE_FAILED', open.path, () => work(open));
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  #checkUsable(): void {
    assert(this.#state !== 'closed', 'the log is closed');
    if (this.#state === 'open') return;
    const { path } = this.#files[this.#generation % walFiles]!;
    throw new StorageError(`${path} failed before and takes no more writes`, {
      code: 'WAL_WRITE_FAILED',
      path,
      systemCode: 'EARLIER_FAILURE',
    });
  }
}
