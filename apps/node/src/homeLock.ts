import type { HomePaths } from '@prime/config';
import { acquireSystemLock, lockDataDir, StorageError } from '@prime/storage';

/** A home that belongs to this process. */
export interface HomeLock {
  release(): Promise<void>;
}

/**
 * Takes a home for a process that runs on it: node or signer. Both locks, see dataDirLock.ts of storage: one that says who holds it, and one of the system.
 *
 * @throws StorageError `DATA_DIR_LOCKED`: nothing changed
 */
export async function holdHome({ lock: path, systemLock }: Pick<HomePaths, 'lock' | 'systemLock'>): Promise<HomeLock> {
  const lock = await lockDataDir(path, systemLock);
  try {
    const held = await acquireSystemLock(systemLock);
    if (held === null)
      throw new StorageError(`${systemLock} is held by another process: a node or signer is running on this home`, {
        code: 'DATA_DIR_LOCKED',
        path: systemLock,
        pid: 0,
      });
    return {
      release: async () => {
        await held.release();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
