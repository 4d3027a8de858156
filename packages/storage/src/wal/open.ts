import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import type { Wal } from '@prime/engine';
import { assert, bytesEqual, bytesToHex, type Hash, type Height, hexToBytes } from '@prime/primitives';
import { StorageError } from '../errors.ts';
import { type FileLayer, nodeFiles, type StorageFile } from '../files/files.ts';
import { attempt, walCorrupt } from './failures.ts';
import { FileWal, walFileName, walFiles } from './wal.ts';
import { encodeHeader, headerPlace, putRecord, recordType, tagBytes, walFormat } from './walRecord.ts';
import { newestMark, readContent, type WalContent } from './walScan.ts';

/** Size that files are made with, bytes: more than a height writes on a busy network. */
/**
 * Enough for a height of small blocks. Not more: file systems keep what is written or read at once in pages of up to its size, and go through all
 * blocks of a page at each write into it. Of a file of 4 MiB a write cost four times as much as of this, and a sync half as much again.
 */
const fileBytesDefault = 256 << 10;

/** What the log belongs to, and what it lies on. */
export interface WalOptions {
  readonly genesisHash: Hash;
  /** Bytes that a file is made with; 256 KiB when absent. */
  readonly fileBytes?: number;
  /** The disk; the file system when absent. */
  readonly files?: FileLayer;
}

/**
 * Opens the log and finds the newest height in it. A tail that was torn before it was synced is dropped.
 *
 * @throws StorageError `WAL_CORRUPT` (damage before records that were made durable later), `WAL_FOREIGN`, `WAL_READ_FAILED`,
 * `WAL_WRITE_FAILED`
 */
export function openWal(dir: string, options: WalOptions): Wal {
  const { files: layer = nodeFiles, fileBytes = fileBytesDefault } = options;
  const genesisHash = hexToBytes(options.genesisHash, 32);
  const opened: OpenFile[] = [];
  try {
    for (let index = 0; index < walFiles; index++) {
      const found = openFile(layer, join(dir, walFileName(index)));
      if (found !== null) opened.push(found);
    }
    const secret = secretOf(opened, genesisHash);
    if (opened.length < walFiles) makeMissing(layer, dir, opened, { genesisHash, secret, fileBytes });
    const newest = findNewest(opened, secret);
    // What a killed process had not synced was readable up to now, and is on disk from now on: otherwise a power cut could still
    // take it from before the records that are appended behind it.
    attempt('WAL_WRITE_FAILED', newest.path, () => newest.file.sync());
    return new FileWal({ files: opened, newest: newest.content, fileBytes });
  } catch (error) {
    for (const { file } of opened) file.close();
    throw error;
  }
}

interface OpenFile {
  readonly path: string;
  readonly file: StorageFile;
  readonly bytes: Uint8Array;
  /** Null without an intact header. */
  readonly content: WalContent | null;
}

/** @returns null when there is none */
function openFile(layer: FileLayer, path: string): OpenFile | null {
  const file = attempt('WAL_READ_FAILED', path, () => layer.open(path));
  if (file === null) return null;
  try {
    const bytes = attempt('WAL_READ_FAILED', path, () => file.read());
    return { path, file, bytes, content: readContent(bytes) };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The secret of the log, a new one when there is no log. */
function secretOf(files: readonly OpenFile[], genesisHash: Uint8Array): Uint8Array {
  let secret: Uint8Array | null = null;
  let damaged = 0;
  for (const { path, content } of files) {
    if (content === null) {
      damaged += 1;
      // Headers are written one at a time, each after the one before it is durable: a crash tears at most one.
      if (damaged > 1) throw walCorrupt(path, 0, 'the header of a second file is damaged');
      continue;
    }
    checkOrigin(path, content, genesisHash);
    secret ??= content.header.secret;
    if (!bytesEqual(secret, content.header.secret)) throw walCorrupt(path, 0, 'the file belongs to another log');
  }
  return secret ?? randomFillSync(new Uint8Array(tagBytes));
}

function checkOrigin(path: string, { header }: WalContent, genesisHash: Uint8Array): void {
  const found = bytesToHex(header.genesisHash);
  const expected = bytesToHex(genesisHash);
  if (header.format === walFormat && found === expected) {
    const inPlace = header.generation === 0 || path.endsWith(walFileName(header.generation));
    if (!inPlace) throw walCorrupt(path, 0, `generation ${header.generation} does not belong in this file`);
    return;
  }
  const shown = {
    found: `format ${header.format}, genesis ${found}`,
    expected: `format ${walFormat}, genesis ${expected}`,
  };
  throw new StorageError(`${path} is the log of another network: it has ${shown.found}, wanted is ${shown.expected}`, {
    code: 'WAL_FOREIGN',
    path,
    ...shown,
  });
}

/** Makes the files that are not there: all of a new log, or the rest of one whose making was cut short. */
function makeMissing(
  layer: FileLayer,
  dir: string,
  opened: OpenFile[],
  options: { readonly genesisHash: Uint8Array; readonly secret: Uint8Array; readonly fileBytes: number },
): void {
  const { genesisHash, secret, fileBytes } = options;
  const used = opened.find(({ content }) => content === null || content.header.generation > 0);
  const blank = new Uint8Array(fileBytes);
  const header = { format: walFormat, height: 0 as Height, generation: 0, genesisHash, secret, tag: secret };
  putRecord(blank, 0, { type: recordType.header, payload: encodeHeader(header), place: headerPlace });
  for (let index = 0; index < walFiles; index++) {
    const path = join(dir, walFileName(index));
    if (opened[index]?.path === path) continue;
    if (used !== undefined) throw walCorrupt(path, 0, `the file is missing beside ${used.path}, which is in use`);
    attempt('WAL_WRITE_FAILED', path, () => {
      layer.makeFolder(dir);
      layer.create(path, blank);
    });
    const made = openFile(layer, path);
    assert(made !== null, `${path} is there, it was just made`);
    opened.splice(index, 0, made);
  }
}

type Newest = OpenFile & { readonly content: WalContent };

function findNewest(files: readonly OpenFile[], secret: Uint8Array): Newest {
  let newest: Newest | null = null;
  for (const { content, ...file } of files)
    if (content !== null && (newest === null || content.header.generation > newest.content.header.generation))
      newest = { ...file, content };
  assert(newest !== null, 'at most one of the headers is damaged');
  const { generation } = newest.content.header;
  for (const { path, bytes, content } of files) {
    const end = content?.end ?? 0;
    const mark = newestMark(bytes, secret, end);
    // Marks of the newest generation stand in its own file only; one behind the intact part means that something before it is gone.
    if (mark !== null && mark.generation >= generation)
      throw walCorrupt(path, end, `records at offset ${mark.offset} were made durable after it`);
  }
  return newest;
}
