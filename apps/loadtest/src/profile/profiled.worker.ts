/**
 * Loaded before the program in each thread of a node that is profiled (`NODE_OPTIONS=--import`). SIGUSR2 begins a CPU profile of every thread, another one ends
 * it; each thread writes its own into the folder that PROFILE_DIR names, beside a file that tells the system's number of the thread and its name.
 *
 * Nothing of it is part of a node: a profile sees the program as it is shipped.
 */
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import workerThreads, { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import { sampleMicros } from './files.ts';

const directory = process.env['PROFILE_DIR']!;
const own = `${process.pid}-${threadId}`;

const nameFile = (thread: number): string => join(directory, `name-${process.pid}-${thread}`);

/** Threads do not know their names in Node.js 20: whoever starts one tells it. */
const { Worker } = workerThreads;
workerThreads.Worker = class NamedWorker extends Worker {
  constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
    super(file, options);
    // Threads of a pool are told only later what to do.
    const name = options?.name ?? `${readFileSync(nameFile(threadId), 'utf8')} pool`;
    writeFileSync(nameFile(this.threadId), name);
  }
};
syncBuiltinESMExports();

const nativeId = (): string => readlinkSync('/proc/thread-self').split('/').at(-1)!;
writeFileSync(join(directory, `thread-${own}`), nativeId());
if (isMainThread) writeFileSync(nameFile(threadId), 'main');

let session: Session | null = null;
function begin(): void {
  writeFileSync(join(directory, `begun-${own}`), '');
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: sampleMicros });
  session.post('Profiler.start');
}
function end(): void {
  session?.post('Profiler.stop', (error, result) => {
    if (error === null) writeFileSync(join(directory, `profile-${own}.cpuprofile`), JSON.stringify(result.profile));
  });
  session?.disconnect();
  session = null;
}

const channel = new BroadcastChannel('prime-profile');
channel.unref();
channel.onmessage = () => (session === null ? begin() : end());
if (isMainThread)
  process.on('SIGUSR2', () => {
    channel.postMessage(null);
    if (session === null) begin();
    else end();
  });
