import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { HomePaths } from '@prime/config';
import { openStateDatabase } from '@prime/storage';

/** Opens a state database, reads all of it when it is asked to, and ends without closing it, as a thread that is halted does. */
const database = await openStateDatabase((workerData as HomePaths).state);
parentPort!.postMessage('open');
for (;;) {
  const [message] = (await once(parentPort!, 'message')) as ['read' | 'end'];
  if (message === 'end') process.exit();
  let count = 0;
  for await (const [, value] of database.entries(Uint8Array.of(1))) count += value.length;
  for (let name = 0; name < 256; name++) count += database.getSync(Uint8Array.of(1, name, name))?.length ?? 0;
  parentPort!.postMessage(count);
}
