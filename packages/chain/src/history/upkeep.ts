import type { StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import type { BlockRecords } from './blockRecords.ts';
import { createPruner, type Retention } from './pruner.ts';
import { createIndexer } from './windows.ts';

/** Indexes the past and deletes what is too old of it, beside the blocks that go on. */
export interface Upkeep {
  /** Begins with what is due at a block that was committed. Nothing else may be written to the database before it is {@link settled}. */
  start(height: Height, records: BlockRecords): void;
  /** Waits for what was begun. @throws what the database threw meanwhile */
  settled(): Promise<void>;
}

/** @param onPruned told how many heights are too old and still there */
export function createUpkeep(
  database: StateDatabase,
  retention: Retention,
  onPruned: (left: number) => void = () => undefined,
): Upkeep {
  const index = createIndexer(database);
  const prune = createPruner(database, retention, onPruned);
  // Nobody waits for it at once, so that a failure is kept for whoever does.
  let running: Promise<{ readonly error: unknown } | null> = Promise.resolve(null);
  return {
    start(height, records) {
      running = index(height, records)
        .then(() => prune(height))
        .then(
          () => null,
          (error: unknown) => ({ error }),
        );
    },
    async settled() {
      const failure = await running;
      if (failure !== null) throw failure.error;
    },
  };
}
