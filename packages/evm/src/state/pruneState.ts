import { heightOfKey, type RecordWrite, statePrefix } from '@prime/codec';
import type { Height } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { put } from './flatSource.ts';
import { droppedKeys, droppedNodesKey, nodeHeight } from './nodeRecords.ts';

/**
 * Deletes what the states below a height had and no later one has.
 *
 * A node that block h dropped is in no state from h on, unless a later block put it back, which its record tells. A diff that block h
 * names is of a state below h. So the list of block h is carried out when the states below h are given up; a state between two
 * whole tries needs all of the lower one. The lists are read before the writes are made: nothing may be committed in between.
 *
 * @param from oldest height whose state is whole now
 * @param to oldest height whose state is wanted: a list of each height between them is read at most
 * @returns deletions of nodes, of diffs, and of the lists that named them
 */
export async function pruneState(
  database: Pick<StateDatabase, 'getMany' | 'scan'>,
  from: Height,
  to: Height,
): Promise<readonly RecordWrite[]> {
  const scan = database.scan(droppedNodesKey((from + 1) as Height), droppedNodesKey((to + 1) as Height));
  const writes: RecordWrite[] = [];
  try {
    for (;;) {
      const [entry] = await scan.next(1);
      if (entry === undefined) return writes;
      const [key, list] = entry;
      const height = heightOfKey(key);
      const dropped = droppedKeys(list);
      const records = await database.getMany(dropped);
      dropped.forEach((name, index) => {
        const record = records[index];
        if (record === undefined) return;
        if (name[0] === statePrefix.stateDiff || nodeHeight(record) < height) writes.push(put(name, null));
      });
      writes.push(put(key, null));
    }
  } finally {
    await scan.close();
  }
}
