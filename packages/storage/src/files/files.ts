import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, StorageError, systemCodeOf } from '../errors.ts';

/** A file that is written in place. What {@link sync} has not confirmed may be lost, in whole or in part, in any order. */
export interface StorageFile {
  /** All bytes. */
  read(): Uint8Array;
  write(bytes: Uint8Array, offset: number): void;
  /** Sets the size in bytes. */
  resize(size: number): void;
  /** All writes before it are on disk when it returns; it may leave out times and other metadata (fdatasync). */
  sync(): void;
  close(): void;
}

/** The disk as the log and the sign state use it; tests put a disk in its place that loses what was not synced. */
export interface FileLayer {
  /** @returns null when there is none */
  open(path: string): StorageFile | null;
  /** Makes a file with this content; after a crash it is there as a whole or not at all. */
  create(path: string, content: Uint8Array): void;
  /** Makes a folder and the ones above it, durably. */
  makeFolder(path: string): void;
}

/** The real disk. Tests put one in its place that loses and tears what was not synced. */
export const nodeFiles: FileLayer = {
  open(path) {
    const descriptor = openIfThere(path);
    if (descriptor === null) return null;
    return {
      read: () => readWhole(descriptor),
      write: (bytes, offset) => writeWhole(descriptor, bytes, offset),
      resize: (size) => ftruncateSync(descriptor, size),
      sync: () => fdatasyncSync(descriptor),
      close: () => closeSync(descriptor),
    };
  },
  create: (path, content) => writeFileDurably(path, content, 0o600),
  makeFolder(path) {
    const first = mkdirSync(path, { recursive: true });
    if (first === undefined) return;
    // The name of each new folder is in the one above it.
    for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
      syncFolder(dirname(made));
  },
};

/** Who is told what files that are written in place do. */
export interface FileWatch {
  /** @param ms how long the sync took */
  onSync(ms: number): void;
  onWrite?(bytes: number): void;
}

/** The disk, watched. */
export const watchedFiles = ({ onSync, onWrite }: FileWatch): FileLayer => ({
  ...nodeFiles,
  open(path) {
    const file = nodeFiles.open(path);
    return (
      file && {
        ...file,
        write(bytes, offset) {
          file.write(bytes, offset);
          onWrite?.(bytes.length);
        },
        sync() {
          const before = performance.now();
          file.sync();
          onSync(performance.now() - before);
        },
      }
    );
  },
});

/** Between two tries to open a file, and in all, ms. */
const [openPauseMs, openTriesMs] = [5, 2_000] as const;

const pause = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);

/**
 * Opens a file, and waits where the process has no file left: callers who take them all are turned away within some milliseconds, by another thread. Whoever has to
 * write a log or a vote cannot go on without it, and would end the node.
 *
 * @param open opens it once
 * @throws what the system says; EMFILE after two seconds
 */
export function openPatiently(open: () => number, wait: (ms: number) => void = pause): number {
  for (let waitedMs = 0; ; waitedMs += openPauseMs) {
    try {
      return open();
    } catch (error) {
      if (systemCodeOf(error) !== 'EMFILE' || waitedMs >= openTriesMs) throw error;
      wait(openPauseMs);
    }
  }
}

function openIfThere(path: string): number | null {
  try {
    return openPatiently(() => openSync(path, 'r+'));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Node makes lengths of 2 GiB and more 32-bit numbers, which then are negative or far too small. */
const readBytesMax = 1 << 30;

/** All bytes of a file, however long. @param atOnceMax bytes of one read */
export function readWhole(descriptor: number, atOnceMax = readBytesMax): Uint8Array {
  const bytes = new Uint8Array(fstatSync(descriptor).size);
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(descriptor, bytes, done, Math.min(atOnceMax, bytes.length - done), done);
    if (count === 0) return bytes.subarray(0, done);
    done += count;
  }
  return bytes;
}

/** A write may take less than it was given, most often just before the disk is full. */
function writeWhole(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  const descriptor = openPatiently(() => openSync(path, 'r'));
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes a file so that after a crash at any point either the old content or the new one is there, and the new one once this
 * returns: temporary file, fsync, rename, fsync of the folder.
 *
 * @param mode permissions of the file, whatever the umask says
 * @throws StorageError `FILE_WRITE_FAILED`
 */
export function writeFileDurably(path: string, bytes: Uint8Array, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    rmSync(temporary, { force: true });
    const descriptor = openPatiently(() => openSync(temporary, 'wx', mode));
    try {
      fchmodSync(descriptor, mode);
      writeWhole(descriptor, bytes, 0);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (cause) {
    removeQuietly(temporary);
    throw new StorageError(
      `can not write ${path}: ${messageOf(cause)}`,
      { code: 'FILE_WRITE_FAILED', path, systemCode: systemCodeOf(cause) },
      { cause },
    );
  }
}

/** A free name under which something damaged is set aside: `.damaged` behind its own, and a number where that is taken. */
export function damagedName(path: string): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? `${path}.damaged` : `${path}.damaged-${count}`;
    if (!existsSync(candidate)) return candidate;
  }
}

/** For cleaning up after a failure, which is what the caller hears of. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk that refused the file may refuse this as well; the name is used again by the next attempt.
  }
}
