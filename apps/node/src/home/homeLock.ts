import { rm, writeFile } from 'node:fs/promises';
import type { HomePaths } from '@prime/config';
import { acquireSystemLock, lockDataDir, StorageError } from '@prime/storage';

/** A home that belongs to this process. */
export interface HomeLock {
  release(): Promise<void>;
}

/**
 * Works on the home of a node that does not run, and keeps it from starting meanwhile.
 *
 * @throws StorageError `DATA_DIR_LOCKED` while the node runs; what the work throws
 */
export async function whileLocked<T>(
  { lock: path, systemLock }: Pick<HomePaths, 'lock' | 'systemLock'>,
  work: () => T | Promise<T>,
): Promise<T> {
  const lock = await lockDataDir(path, systemLock);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * Takes a home for a process that runs on it: node or signer. Both locks, see dataDirLock.ts of storage: one that says who holds it, and one of the system.
 * The process id is written beside them, for whoever sends it a signal.
 *
 * @throws StorageError `DATA_DIR_LOCKED`: nothing changed; NodeJS.ErrnoException where the process id can not be written
 */
export async function holdHome({
  lock: path,
  systemLock,
  pid,
}: Pick<HomePaths, 'lock' | 'systemLock' | 'pid'>): Promise<HomeLock> {
  const lock = await lockDataDir(path, systemLock);
  try {
    const held = await acquireSystemLock(systemLock);
    if (held === null)
      throw new StorageError(`${systemLock} is held by another process: a node or signer is running on this home`, {
        code: 'DATA_DIR_LOCKED',
        path: systemLock,
        pid: 0,
      });
    const release = async (): Promise<void> => {
      await rm(pid, { force: true });
      await held.release();
    };
    try {
      await writeFile(pid, `${process.pid}\n`);
    } catch (error) {
      await release();
      throw error;
    }
    return {
      release: async () => {
        await release();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
