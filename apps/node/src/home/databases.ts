import type { HomePaths, NodeConfig } from '@prime/config';
import { checkDatabaseFiles, openBlockStore, openStateDatabase } from '@prime/storage';

/** The databases of a node, as the process holds them. */
export interface Databases {
  /** Only when all threads are gone. */
  close(): Promise<void>;
}

/**
 * Opens the databases before the threads of a node are started.
 *
 * All threads share one native database for each folder, and its block cache belongs to whoever opened it first: it is freed when that one closes or ends,
 * and whoever still reads reads freed memory. So the first one is the thread that outlives the others. Besides, what can not be opened is
 * found before anything else runs.
 *
 * @throws StorageError `DATABASE_CORRUPT`, `DATABASE_OPEN_FAILED`, `BLOCK_STORE_CORRUPT`, `BLOCK_STORE_FOREIGN`,
 * `STATE_DATABASE_FOREIGN`
 */
export async function openDatabases(home: HomePaths, config: NodeConfig): Promise<Databases> {
  const { cacheBytes } = config.storage;
  for (const folder of [home.blocks, home.state]) checkDatabaseFiles(folder);
  const blocks = await openBlockStore(home.blocks, { readonly: true, cacheBytes });
  try {
    const state = await openStateDatabase(home.state, { cacheBytes });
    return {
      close: async () => {
        await Promise.all([blocks.close(), state.close()]);
      },
    };
  } catch (error) {
    await blocks.close();
    throw error;
  }
}
