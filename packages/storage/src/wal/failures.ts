import { messageOf, StorageError, systemCodeOf } from '../errors.ts';

/** The error with code `WAL_CORRUPT`, to be thrown. @param offset bytes from the start of the file */
export const walCorrupt = (path: string, offset: number, reason: string): StorageError =>
  new StorageError(`${path} is damaged at offset ${offset}: ${reason}`, { code: 'WAL_CORRUPT', path, offset, reason });

/** Runs work on a file of the log. @throws StorageError with the code and, as cause, what the system said */
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
