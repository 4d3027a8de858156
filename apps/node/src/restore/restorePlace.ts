import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HomePaths } from '@prime/config';
import { syncFolder } from '@prime/storage';
import { NodeError } from '../errors.ts';

/**
 * A restore fills two folders beside the ones of the node, and puts them in place when both are complete:
 *
 * 1. `state.restore` and `blocks.restore` are written; without the marker they are nothing and are removed.
 * 2. The marker `RESTORE` is written durably: from here on the restore counts.
 * 3. Both are renamed to `state` and `blocks`, then the marker is removed. A start that finds the marker goes on here.
 */
const markerName = 'RESTORE';

/** Paths of a restore under way: two folders, and the marker that makes it count. */
export interface RestorePlace {
  readonly state: string;
  readonly blocks: string;
  readonly marker: string;
}

/** All in the home, so that putting them in place is a rename. */
export const placeIn = (home: HomePaths): RestorePlace => ({
  state: `${home.state}.restore`,
  blocks: `${home.blocks}.restore`,
  marker: join(home.home, markerName),
});

/** Whether a node has neither state nor blocks: what a snapshot may be restored into. */
export const isEmptyHome = (home: HomePaths): boolean => !existsSync(home.state) && !existsSync(home.blocks);

/**
 * Ends a restore that a crash interrupted, or removes what is left of one that did not count yet. Before anything opens the databases.
 *
 * @throws NodeError `RESTORE_BROKEN` when the marker is there and a folder is neither here nor there
 */
export function finishRestore(home: HomePaths): void {
  const place = placeIn(home);
  if (!existsSync(place.marker)) {
    for (const path of [place.state, place.blocks]) rmSync(path, { recursive: true, force: true });
    return;
  }
  for (const [from, to] of [
    [place.state, home.state],
    [place.blocks, home.blocks],
  ] as const) {
    if (existsSync(from) && !existsSync(to)) renameSync(from, to);
    else if (!existsSync(to) || existsSync(from))
      throw new NodeError(
        `a restore of a snapshot was interrupted, and ${existsSync(to) ? `both ${from} and ${to} exist` : `neither ${from} nor ${to} exists`}: ` +
          `remove state, blocks, ${markerName} and what ends in .restore from ${home.home}, and restore again`,
        { code: 'RESTORE_BROKEN', path: to },
      );
  }
  syncFolder(home.home);
  rmSync(place.marker);
  syncFolder(home.home);
}
