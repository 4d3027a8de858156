import { Worker } from 'node:worker_threads';
import { createLink, linkTransferList, openEndpoint } from '@prime/bus';
import type { ShardDone, ShardPort } from '@prime/clob';
import type { ClobParams } from '@prime/codec';
import { untilAnswered } from '../threads/links.ts';
import type { FrontToShard, Silent } from '../threads/protocols.ts';
import { ThreadError } from '../threads/threads.ts';
import { fromWire, toWire } from './shardMessages.ts';
import type { ThreadFault } from '../threads/threadFault.ts';
import { watchThreads, type WatchedThread } from '../threads/watchdog.ts';
import { workerFile } from '../workerFile.ts';
import { youngHeap } from '../v8/collector.ts';

/** What a shard's thread is given. */
export interface ShardThreadData {
  readonly params: ClobParams;
  readonly link: ReturnType<typeof createLink>['b'];
}

/** Threads that match markets for the thread of the order book. */
export interface ShardPool {
  readonly ports: readonly ShardPort[];
  /** Tests only: what a thread does that fails. */
  fail(shard: number, how: ThreadFault): void;
  /** Ends the threads. */
  close(): Promise<void>;
}

const ringBytes = 4 * 1024 * 1024;

/** How many threads share the order book's work, and when one counts as lost. */
export interface ShardPoolOptions {
  readonly shards: number;
  readonly params: ClobParams;
  /** Silence after which a thread counts as hung; 0 watches none. */
  readonly hangMs: number;
  /** Told at most once of a thread that failed, ended by itself or hangs: what it knew is gone. */
  readonly onFatal: (error: ThreadError) => void;
}

/** Starts one thread for each shard. One that is lost makes the pool useless: the node ends and starts anew. */
export function openShardPool({ shards, params, hangMs, onFatal }: ShardPoolOptions): ShardPool {
  let isOver = false;
  const fatal = (error: ThreadError): void => {
    if (!isOver) onFatal(error);
    isOver = true;
  };
  const threads = Array.from({ length: shards }, (_, shard) => openShard(shard, params, fatal));
  const endWatch = watchThreads(threads, hangMs, fatal);
  return {
    ports: threads.map(({ port }) => port),
    fail: (shard, how) => threads[shard]!.fail(how),
    close: async () => {
      // One that hangs would never see that its link ended.
      const failed = isOver;
      isOver = true;
      endWatch();
      await Promise.all(threads.map(({ close }) => close(failed)));
    },
  };
}

interface ShardThread extends WatchedThread {
  readonly port: ShardPort;
  fail(how: ThreadFault): void;
  /** @param byForce whatever it does */
  close(byForce: boolean): Promise<void>;
}

function openShard(shard: number, params: ClobParams, fatal: (error: ThreadError) => void): ShardThread {
  const name = `clob-shard${shard}`;
  const link = createLink({ name, ringBytes });
  const workerData: ShardThreadData = { params, link: link.b };
  const transferList = [...linkTransferList(link.b)];
  const resourceLimits = youngHeap('large');
  const worker = new Worker(workerFile('pools/shard.worker.js'), { workerData, name, transferList, resourceLimits });
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const lost = (cause: unknown): void =>
    fatal(new ThreadError(`${name}: the thread failed`, { code: 'THREAD_FAILED', thread: name }, { cause }));
  worker.on('error', lost);
  const endpoint = openEndpoint<FrontToShard, Silent>(link.a, {
    handlers: {},
    onError: lost,
    onClose: (reason) => lost(new Error(`the link ended: ${reason}`)),
  });
  return {
    name,
    port: {
      run: async (work) => fromWire<ShardDone>(await endpoint.request('run', toWire(work), untilAnswered)),
      sync: (part) => endpoint.request('sync', toWire(part), untilAnswered),
      rollback: () => endpoint.request('rollback', null, untilAnswered),
    },
    status: () => endpoint.request('status', null, untilAnswered),
    // It does not answer any more, and what it does instead is told by the link and the worker.
    fail: (how) => void endpoint.request('fail', how, untilAnswered).catch(() => undefined),
    close: async (byForce) => {
      endpoint.close();
      if (byForce) await worker.terminate();
      await gone;
    },
  };
}
