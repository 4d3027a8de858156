import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Height } from '@prime/primitives';
import { openBlockStore } from '../database/blockStore.ts';
import { openStateDatabase } from '../database/stateDatabase.ts';

/** Reads every block as soon as the head shows it, until `until`, and posts the hashes in order of height. */
const { blocks, state, until } = workerData as {
  readonly blocks: string;
  readonly state: string;
  readonly until: number;
};
const store = await openBlockStore(blocks, { readonly: true });
const database = await openStateDatabase(state);
parentPort!.postMessage({ kind: 'ready' });
const hashes: string[] = [];
let heads = 0;
while (hashes.length < until) {
  const head = store.head();
  if (head > hashes.length) heads += 1;
  while (hashes.length < head) {
    const height = (hashes.length + 1) as Height;
    const stored = store.get(height);
    const known = stored !== null && store.heightOf(stored.hash) === height;
    // The writer stores the state of a block before the block.
    const applied = database.getSync(Uint8Array.of(0x6d, height)) !== undefined;
    if (!known || !applied || store.validators((height + 1) as Height) === null)
      throw new Error(`height ${height} is below the head ${head} and not whole`);
    hashes.push(stored.hash);
  }
  await setImmediate();
}
await store.close();
await database.close();
parentPort!.postMessage({ kind: 'read', hashes, heads });
