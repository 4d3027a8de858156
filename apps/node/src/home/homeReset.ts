import { existsSync, renameSync, rmSync } from 'node:fs';
import type { HomePaths } from '@prime/config';
import { syncFolder } from '@prime/storage';
import { placeIn } from '../restore/restorePlace.ts';
import { whileLocked } from './homeLock.ts';

/** What a chain leaves in a home, and a node makes again from its peers. */
const chainData = ['state', 'blocks', 'wal', 'evidence', 'snapshots', 'failedBlock'] as const;
/** Name of what is about to be removed, so that nothing is ever there by half. */
const resetSuffix = '.reset';

/**
 * Removes the chain's data from the home of a node that does not run. Keys, configuration, genesis, bans, the note on whom the keys vote for, and the sign state
 * stay: with it the node signs nothing behind what it signed before.
 *
 * @returns names of what was removed
 * @throws StorageError `DATA_DIR_LOCKED` while the node runs
 */
export function resetHome(home: HomePaths): Promise<readonly string[]> {
  return whileLocked(home, () => {
    const restore = placeIn(home);
    // The marker first: with it, a start would look for the folders.
    for (const path of [restore.marker, restore.state, restore.blocks]) rmSync(path, { recursive: true, force: true });
    const there = chainData.filter((name) => existsSync(home[name]));
    const aside = (name: (typeof chainData)[number]): string => `${home[name]}${resetSuffix}`;
    for (const name of there) {
      rmSync(aside(name), { recursive: true, force: true });
      renameSync(home[name], aside(name));
    }
    syncFolder(home.home);
    // Also what a reset that was cut off left.
    for (const name of chainData) rmSync(aside(name), { recursive: true, force: true });
    return there;
  });
}
