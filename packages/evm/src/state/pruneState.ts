import { heightOfKey, type RecordWrite } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { put } from './flatSource.ts';
import { droppedNodeKeys, droppedNodesKey, nodeHeight } from './nodeRecords.ts';

/** One step of pruning. */
export interface PruneStep {
  /** Deletes nodes and the lists that named them. */
  readonly writes: readonly RecordWrite[];
  /** Oldest height whose state is whole once the writes are done. */
  readonly oldest: Height;
}

/**
 * Deletes what the states below a height had and no later one has.
 *
 * A node that block h dropped is in no state from h on, unless a later block put it back, which its record tells. So the list of
 * block h is carried out when the states below h are given up. The lists are read before the writes are made: nothing may be
 * committed in between.
 *
 * @param from   oldest height whose state is whole now
 * @param to     oldest height whose state is wanted
 * @param blocksMax lists of at most so many blocks are carried out
 */
export async function pruneState(
  database: Pick<StateDatabase, 'getMany' | 'scan'>,
  from: Height,
  to: Height,
  blocksMax: number,
): Promise<PruneStep> {
  const scan = database.scan(droppedNodesKey((from + 1) as Height), droppedNodesKey((to + 1) as Height));
  const writes: RecordWrite[] = [];
  let oldest = to;
  try {
    let lists = 0;
    for (; lists < blocksMax; lists++) {
      const [entry] = await scan.next(1);
      if (entry === undefined) break;
      const [key, list] = entry;
      const height = heightOfKey(key);
      const nodes = droppedNodeKeys(list);
      const records = await database.getMany(nodes);
      nodes.forEach((node, index) => {
        const record = records[index];
        if (record !== undefined && nodeHeight(record) < height) writes.push(put(node, null));
      });
      writes.push(put(key, null));
      oldest = height;
    }
    if (lists < blocksMax) oldest = to;
  } finally {
    await scan.close();
  }
  return { writes, oldest };
}
