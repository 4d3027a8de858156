/**
 * A process whose threads open the state database of a home, and end one before the other. A program of its own, because what it is about ends a
 * process with SIGSEGV. Its argument is the home, which is filled here.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { homePaths, loadConfig } from '@prime/config';
import { openStateDatabase } from '@prime/storage';
import { openDatabases } from '../home/databases.ts';

const home = homePaths(process.argv[2]!);
const { config } = loadConfig();
const names = Array.from({ length: 256 }, (_, name) => name);

const filled = await openStateDatabase(home.state);
for (const high of names) {
  const writes = names.map((low) => ({ key: Uint8Array.of(1, high, low), value: new Uint8Array(500).fill(low) }));
  await filled.write(writes, { sync: false });
}
await filled.close();

const databases = await openDatabases(home, config);
const open = async (): Promise<Worker> => {
  const thread = new Worker(new URL('./databaseThread.worker.js', import.meta.url), { workerData: home });
  await once(thread, 'message');
  return thread;
};
const read = async (thread: Worker): Promise<number> => {
  thread.postMessage('read');
  return ((await once(thread, 'message')) as [number])[0];
};
const [first, second] = [await open(), await open()];
const before = await read(first);
const gone = once(first, 'exit');
first.postMessage('end');
await gone;
const after = await read(second);
await second.terminate();
await databases.close();
process.exit(before === after && before > 0 ? 0 : 1);
