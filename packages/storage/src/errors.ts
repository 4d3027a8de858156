import { type Hash, type Height, PrimeError } from '@prime/primitives';

/**
 * `path` is the file or folder. `…_READ_FAILED` and `…_WRITE_FAILED` are the disk's fault, the others are about what
 * lies there.
 */
export type StorageErrorDetail =
  /** The log has a damaged record before records that were made durable after it: not a torn tail. */
  | { readonly code: 'WAL_CORRUPT'; readonly path: string; readonly offset: number; readonly reason: string }
  /** The log was written for another genesis, or in a format that this program does not know. */
  | { readonly code: 'WAL_FOREIGN'; readonly path: string; readonly found: string; readonly expected: string }
  /** The log could not be read or opened; `systemCode` as the system names it. */
  | { readonly code: 'WAL_READ_FAILED'; readonly path: string; readonly systemCode: string }
  /** A write or sync of the log failed. Its state on disk is unknown: nothing may be signed any more. */
  | { readonly code: 'WAL_WRITE_FAILED'; readonly path: string; readonly systemCode: string }
  /** No slot of the sign state is intact. */
  | { readonly code: 'SIGN_STATE_CORRUPT'; readonly path: string; readonly reason: string }
  /** The sign state was written for another network. */
  | { readonly code: 'SIGN_STATE_FOREIGN'; readonly path: string; readonly found: Hash; readonly expected: Hash }
  /** A write or sync of the sign state failed: the signature must not be sent. */
  | { readonly code: 'SIGN_STATE_WRITE_FAILED'; readonly path: string; readonly systemCode: string }
  /** A stored value does not decode, or does not belong to its key. */
  | {
      readonly code: 'BLOCK_STORE_CORRUPT';
      readonly path: string;
      readonly height: Height | null;
      readonly hash: Hash | null;
      readonly reason: string;
    }
  /** The disk or the database refused to read; says nothing about what is stored. */
  | { readonly code: 'BLOCK_STORE_READ_FAILED'; readonly path: string; readonly systemCode: string }
  /** The block is not durable, and no other is appended until the store is opened again. */
  | { readonly code: 'BLOCK_STORE_WRITE_FAILED'; readonly path: string; readonly systemCode: string }
  /** The blocks were stored in a layout that this program does not know. */
  | { readonly code: 'BLOCK_STORE_FOREIGN'; readonly path: string; readonly found: number; readonly expected: number }
  /** The state was stored in a layout that this program does not know. */
  | {
      readonly code: 'STATE_DATABASE_FOREIGN';
      readonly path: string;
      readonly found: number;
      readonly expected: number;
    }
  /** LevelDB found its own files damaged, or a value does not match its checksum. */
  | { readonly code: 'STATE_DATABASE_CORRUPT'; readonly path: string; readonly reason: string }
  /** The disk or the database refused to read; says nothing about what is stored. */
  | { readonly code: 'STATE_DATABASE_READ_FAILED'; readonly path: string; readonly systemCode: string }
  /** The batch may be on disk or not, as a whole. */
  | { readonly code: 'STATE_DATABASE_WRITE_FAILED'; readonly path: string; readonly systemCode: string }
  /** Files of LevelDB were found damaged when the folder was opened. */
  | { readonly code: 'DATABASE_CORRUPT'; readonly path: string; readonly reason: string }
  /** LevelDB refused to open the folder, for example because another process holds it. */
  | { readonly code: 'DATABASE_OPEN_FAILED'; readonly path: string; readonly systemCode: string }
  /** A running process, `pid`, holds the home folder. */
  | { readonly code: 'DATA_DIR_LOCKED'; readonly path: string; readonly pid: number }
  /** A snapshot could not be written; nothing of it is offered. */
  | { readonly code: 'SNAPSHOT_WRITE_FAILED'; readonly path: string; readonly systemCode: string }
  /** A file could not be made durable; the one that was there before, if any, is untouched. */
  | { readonly code: 'FILE_WRITE_FAILED'; readonly path: string; readonly systemCode: string };

/** The disk refused, or what it gave back is not what was stored. */
export class StorageError extends PrimeError<StorageErrorDetail> {}

/** `ENOSPC`, `EIO`, `LEVEL_IO_ERROR` …: the code of the innermost error, the one that names the reason. */
export function systemCodeOf(error: unknown): string {
  let code = 'UNKNOWN';
  for (let level = error, depth = 0; typeof level === 'object' && level !== null && depth < 8; depth++) {
    const { code: own, cause } = level as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof own === 'string') code = own;
    level = cause;
  }
  return code;
}

/**
 * LevelDB says that what it read is damaged, and not that it could not read. It merges tables behind the writes: damage that it finds there is what
 * the next write fails with.
 */
export const isLevelCorruption = (error: unknown): boolean => systemCodeOf(error) === 'LEVEL_CORRUPTION';

/** What an error says, for the message of the error that wraps it. */
export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
