import { renameSync } from 'node:fs';
import type { Hash } from '@prime/primitives';
import { isPrimeError } from '@prime/primitives';
import { damagedName } from '../files/files.ts';
import { attempt } from './failures.ts';
import { openWal } from './open.ts';

/**
 * Makes a node with a damaged log start again: the whole log is set aside, under a name that says so, and the next start makes an
 * empty one. Safe for a validator whose sign state is whole: it signs nothing at or before its newest signature.
 *
 * The process must not run.
 *
 * @returns where the damaged log is now and what was wrong with it; null when there was nothing to repair
 * @throws StorageError what {@link openWal} throws, except `WAL_CORRUPT`
 */
export function repairWal(
  dir: string,
  genesisHash: Hash,
): { readonly setAsideAs: string; readonly reason: string } | null {
  try {
    openWal(dir, { genesisHash }).close();
    return null;
  } catch (error) {
    if (!isPrimeError(error) || error.code !== 'WAL_CORRUPT') throw error;
    const setAsideAs = damagedName(dir);
    attempt('WAL_WRITE_FAILED', dir, () => renameSync(dir, setAsideAs));
    return { setAsideAs, reason: error.message };
  }
}
