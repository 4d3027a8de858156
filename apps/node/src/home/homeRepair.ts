import { renameSync } from 'node:fs';
import type { Genesis } from '@prime/codec';
import type { HomePaths } from '@prime/config';
import { damagedName, syncFolder } from '@prime/storage';
import { NodeError } from '../errors.ts';
import { type HomePart, lookAt } from './homeCheck.ts';
import { whileLocked } from './homeLock.ts';

/** What a repair did. */
export interface HomeRepair {
  readonly parts: readonly HomePart[];
  /** Folders that the node makes anew, and where the damaged ones are now; empty where there was nothing to repair. */
  readonly setAside: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Takes what is damaged out of the home of a node that does not run, so that it is made anew: a state of the own blocks, both of peers, or of what
 * `refill` puts in their place. Nothing is removed: damaged folders get another name.
 *
 * @param refill fills a home without state and blocks, from a snapshot for instance; null leaves it to the next start. When it throws, the home is as before
 * @throws NodeError `REPAIR_REFUSED` where the sign state is damaged: nothing changed; StorageError `DATA_DIR_LOCKED` while the node runs; what refill throws
 */
export function repairHome(
  home: HomePaths,
  genesis: Genesis,
  refill: (() => Promise<void>) | null,
): Promise<HomeRepair> {
  return whileLocked(home, async () => {
    const parts = await lookAt(home, genesis, { newestBlocks: null });
    const damaged = parts.filter(({ faults }) => faults.length > 0);
    const signState = damaged.find(({ name }) => name === 'sign state');
    if (signState !== undefined)
      throw new NodeError(`the sign state is damaged, and nothing makes it again: ${signState.cure.words}`, {
        code: 'REPAIR_REFUSED',
        part: signState.name,
      });
    const damagedFolders = new Set(damaged.flatMap(({ cure }) => cure.anew));
    if (damagedFolders.size === 0) return { parts, setAside: [] };
    const folders = refill === null ? [...damagedFolders] : (['state', 'blocks'] as const);
    const setAside = folders.map((name) => ({ from: home[name], to: damagedName(home[name]) }));
    for (const { from, to } of setAside) renameSync(from, to);
    syncFolder(home.home);
    await refill?.().catch((error: unknown) => {
      for (const { from, to } of setAside) renameSync(to, from);
      throw error;
    });
    return { parts, setAside };
  });
}
