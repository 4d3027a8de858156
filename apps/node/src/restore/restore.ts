import { rm } from 'node:fs/promises';
import { createSnapshotRestore, type RestoredSnapshot } from '@prime/chain';
import type { Genesis, SnapshotManifest } from '@prime/codec';
import type { HomePaths } from '@prime/config';
import { openStateDatabase, seedBlockStore, writeFileDurably } from '@prime/storage';
import { NodeError } from '../errors.ts';
import { isEmptyHome, placeIn, finishRestore } from './restorePlace.ts';

/**
 * Restores a snapshot into a home without state and blocks.
 *
 * @param chunks in order
 * @param check may refuse what was rebuilt, before it counts
 * @throws NodeError `RESTORE_REFUSED` when the home has state or blocks; ChainError `CHAIN_SNAPSHOT_REFUSED`; what chunks and check throw
 */
export async function restoreSnapshot(
  { home, genesis }: { readonly home: HomePaths; readonly genesis: Genesis },
  manifest: SnapshotManifest,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  check: (restored: RestoredSnapshot) => void = () => undefined,
): Promise<void> {
  finishRestore(home);
  if (!isEmptyHome(home))
    throw new NodeError(`${home.home} has state or blocks: a snapshot is restored into a home without them`, {
      code: 'RESTORE_REFUSED',
      path: home.home,
    });
  const place = placeIn(home);
  try {
    const database = await openStateDatabase(place.state);
    let restored: RestoredSnapshot;
    try {
      const restore = createSnapshotRestore(database, genesis, manifest);
      for await (const chunk of chunks) await restore.add(chunk);
      restored = await restore.finish();
      check(restored);
    } finally {
      await database.close();
    }
    await seedBlockStore(place.blocks, restored);
    writeFileDurably(place.marker, new TextEncoder().encode(`${manifest.height}\n`), 0o644);
  } catch (error) {
    await Promise.all([place.state, place.blocks].map((path) => rm(path, { recursive: true, force: true })));
    throw error;
  }
  finishRestore(home);
}
