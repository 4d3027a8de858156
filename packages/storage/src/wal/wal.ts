import { randomFillSync } from 'node:crypto';
import type { Wal } from '@prime/engine';
import { assert, type Height } from '@prime/primitives';
import { StorageError } from '../errors.ts';
import type { StorageFile } from '../files/files.ts';
import { attempt } from './failures.ts';
import {
  encodeHeader,
  encodeMark,
  headerPlace,
  markPlace,
  putRecord,
  type RecordPlace,
  recordHeadBytes,
  recordType,
  tagBytes,
  type WalHeader,
} from './walRecord.ts';
import type { WalContent } from './walScan.ts';

/**
 * The write-ahead log on disk: three files of fixed size that are used in turn, one height each.
 *
 * A file per height that is created, synced and later deleted costs a journal commit of the file system for each of these, on the
 * path of every block. Written in place, a height costs nothing to begin: its header is buffered and goes to disk with the first
 * batch. When that is lost in a crash, nothing was signed at the height either. docs/protocol/wal.md has the layout, the rules of
 * recovery and the measurements.
 */

/** The height in progress and the two before it. */
export const walFiles = 3;
/** A file that grew beyond this many times its first size is cut back when its turn comes. */
const fileGrowthMax = 64;
/** Longest entry, bytes; far beyond the largest block. */
const entryBytesMax = 1 << 28;
const firstBatchBytes = 64 << 10;
/** A node that signs nothing never syncs; its entries go to disk when there are this many bytes. */
const batchBytesMax = 8 << 20;

/** Name of the file that holds a generation. */
export const walFileName = (generation: number): string => `wal.${generation % walFiles}`;

interface WalFile {
  readonly path: string;
  readonly file: StorageFile;
  readonly bytes: Uint8Array;
}

/** The log in use; {@link Wal} has the contract. After a failed write or sync it takes nothing any more. */
export class FileWal implements Wal {
  readonly #files: readonly Pick<WalFile, 'path' | 'file'>[];
  readonly #sizes: number[];
  readonly #fileBytes: number;
  /** What stays the same from height to height; the tag is this process's, so that nothing torn before becomes valid again. */
  readonly #constants: Omit<WalHeader, 'height' | 'generation'>;
  #found: { readonly height: Height; readonly entries: readonly Uint8Array[] } | null;
  #generation: number;
  /** The header of the generation is durable. */
  #begun: boolean;
  /** Where the buffered batch will stand in the file. */
  #end: number;
  #batch = new Uint8Array(firstBatchBytes);
  #batchLength = 0;
  #wrote = false;
  #state: 'open' | 'failed' | 'closed' = 'open';

  /** @param files in the order of their names @param newest of which the records were read, and are on disk */
  constructor(options: {
    readonly files: readonly WalFile[];
    readonly newest: WalContent;
    readonly fileBytes: number;
  }) {
    const { files, fileBytes } = options;
    const { header, entries, end } = options.newest;
    this.#files = files.map(({ path, file }) => ({ path, file }));
    this.#sizes = files.map(({ bytes }) => bytes.length);
    this.#fileBytes = fileBytes;
    const { format, genesisHash, secret } = header;
    this.#constants = { format, genesisHash, secret, tag: randomFillSync(new Uint8Array(tagBytes)) };
    this.#found = header.generation === 0 ? null : { height: header.height, entries };
    this.#generation = header.generation;
    this.#begun = header.generation > 0;
    this.#end = end;
  }

  replay(): { readonly height: Height; readonly entries: readonly Uint8Array[] } | null {
    return this.#found;
  }

  beginHeight(height: Height): void {
    this.#checkUsable();
    this.#found = null;
    if (this.#begun) {
      // What the height before has buffered protects nothing any more; it is kept for whoever looks at the log later.
      this.#flush();
      this.#generation += 1;
      this.#begun = false;
    } else {
      // Nothing of the height before is on disk. Its place is used again, so that never two files have a header in doubt.
      this.#batchLength = 0;
      this.#generation = Math.max(this.#generation, 1);
    }
    this.#end = 0;
    const header = { height, generation: this.#generation, ...this.#constants };
    this.#put(recordType.header, encodeHeader(header), headerPlace);
  }

  append(entry: Uint8Array): void {
    this.#checkUsable();
    assert(this.#generation > 0, 'a height is begun before entries are appended');
    assert(entry.length <= entryBytesMax, `a log entry has at most ${entryBytesMax} bytes, got ${entry.length}`);
    if (this.#batchLength === 0) this.#putMark();
    const offset = this.#end + this.#batchLength;
    this.#put(recordType.entry, entry, { generation: this.#generation, tag: this.#constants.tag, offset });
    if (this.#batchLength > batchBytesMax) this.sync();
  }

  sync(): void {
    this.#checkUsable();
    if (this.#batchLength === 0) return;
    if (!this.#begun) this.#cutBack();
    this.#flush();
    this.#attempt(({ file }) => file.sync());
    this.#begun = true;
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
    const { secret, tag } = this.#constants;
    const mark = encodeMark({ generation: this.#generation, tag });
    this.#put(recordType.mark, mark, markPlace(secret, this.#end + this.#batchLength));
  }

  #put(type: number, payload: Uint8Array, place: RecordPlace): void {
    const needed = this.#batchLength + recordHeadBytes + payload.length;
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
    this.#attempt(({ file }) => file.write(this.#batch.subarray(0, length), this.#end));
    this.#batchLength = 0;
    this.#end += length;
    this.#wrote = true;
    const index = this.#generation % walFiles;
    this.#sizes[index] = Math.max(this.#sizes[index]!, this.#end);
  }

  #cutBack(): void {
    const index = this.#generation % walFiles;
    if (this.#sizes[index]! <= fileGrowthMax * this.#fileBytes) return;
    this.#attempt(({ file }) => file.resize(this.#fileBytes));
    this.#sizes[index] = this.#fileBytes;
  }

  /** After a failed write or sync the system may have dropped the pages: trying again would lie. */
  #attempt(work: (file: Pick<WalFile, 'file'>) => void): void {
    const target = this.#files[this.#generation % walFiles]!;
    try {
      attempt('WAL_WRITE_FAILED', target.path, () => work(target));
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  #checkUsable(): void {
    assert(this.#state !== 'closed', 'the log is closed');
    if (this.#state === 'open') return;
    const { path } = this.#files[this.#generation % walFiles]!;
    const detail = { code: 'WAL_WRITE_FAILED', path, systemCode: 'EARLIER_FAILURE' } as const;
    throw new StorageError(`${path} failed before and takes no more writes`, detail);
  }
}
