import { existsSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { messageOf, StorageError, systemCodeOf } from '../errors.ts';

/**
 * A lock of the operating system, which ends with its process however that ends, and which processes of all PID namespaces of a machine see.
 *
 * Node has none of its own; LevelDB takes one (fcntl) on a file of each database that it opens. So an empty database is opened, and stays open.
 */
export interface SystemLock {
  release(): Promise<void>;
}

/**
 * @param dir a folder of its own, made when it is missing
 * @returns null when another process holds it
 * @throws StorageError `DATABASE_OPEN_FAILED`
 */
export async function acquireSystemLock(dir: string): Promise<SystemLock | null> {
  const database = new ClassicLevel(dir);
  try {
    await database.open();
  } catch (cause) {
    if (isLocked(cause)) return null;
    throw openFailed(dir, cause);
  }
  return { release: () => database.close() };
}

/**
 * Whether a process holds the lock; the folder does not change. The lock is on the file and not on its name: it is asked for under another name.
 *
 * @throws StorageError `DATABASE_OPEN_FAILED`
 */
export async function isSystemLocked(dir: string): Promise<boolean> {
  const file = join(dir, 'LOCK');
  if (!existsSync(file)) return false;
  const probe = mkdtempSync(join(dirname(dir), 'lock-probe-'));
  try {
    linkSync(file, join(probe, 'LOCK'));
    const found = await acquireSystemLock(probe);
    await found?.release();
    return found === null;
  } catch (cause) {
    throw cause instanceof StorageError ? cause : openFailed(dir, cause);
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}

const isLocked = (error: unknown): boolean => systemCodeOf(error) === 'LEVEL_LOCKED';

const openFailed = (path: string, cause: unknown): StorageError =>
  new StorageError(
    `can not look at the lock ${path}: ${messageOf(cause)}`,
    { code: 'DATABASE_OPEN_FAILED', path, systemCode: systemCodeOf(cause) },
    { cause },
  );
