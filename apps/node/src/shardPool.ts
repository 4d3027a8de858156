import { Worker } from 'node:worker_threads';
import { createLink, linkTransferList, openEndpoint } from '@prime/bus';
import type { ShardDone, ShardPort } from '@prime/clob';
import type { ClobParams } from '@prime/codec';
import { untilAnswered } from './links.ts';
import { ThreadError } from './threads.ts';
import { fromWire, toWire } from './shardMessages.ts';
import { workerFile } from './workerFile.ts';

/** What a shard's thread is given. */
export interface ShardThreadData {
  readonly params: ClobParams;
  readonly link: ReturnType<typeof createLink>['b'];
}

/** What the order book's thread asks of a shard's; payloads as shardMessages.ts makes them. */
export interface FrontToShard {
  readonly requests: {
    readonly run: { readonly request: unknown; readonly response: unknown };
    readonly sync: { readonly request: unknown; readonly response: null };
    readonly rollback: { readonly request: null; readonly response: null };
  };
  readonly streams: Record<never, never>;
}

interface Silent {
  readonly requests: Record<never, never>;
  readonly streams: Record<never, never>;
}

/** Threads that match markets for the thread of the order book. */
export interface ShardPool {
  readonly ports: readonly ShardPort[];
  /** Ends the threads. */
  close(): Promise<void>;
}

const ringBytes = 4 * 1024 * 1024;

/** @param fatal for a thread that fails or ends by itself: what it knew is gone */
export function openShardPool(shards: number, params: ClobParams, fatal: (error: unknown) => void): ShardPool {
  const threads = Array.from({ length: shards }, (_, shard) => openShard(shard, params, fatal));
  return {
    ports: threads.map(({ port }) => port),
    close: async () => {
      await Promise.all(threads.map(({ close }) => close()));
    },
  };
}

function openShard(
  shard: number,
  params: ClobParams,
  fatal: (error: unknown) => void,
): { readonly port: ShardPort; readonly close: () => Promise<void> } {
  const name = `clob-shard${shard}`;
  const link = createLink({ name, ringBytes });
  const workerData: ShardThreadData = { params, link: link.b };
  const transferList = [...linkTransferList(link.b)];
  const worker = new Worker(workerFile('pools/shard.worker.js'), { workerData, name, transferList });
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const lost = (cause: unknown): void => {
    if (!isClosed)
      fatal(new ThreadError(`${name}: the thread failed`, { code: 'THREAD_FAILED', thread: 'clob' }, { cause }));
  };
  let isClosed = false;
  worker.on('error', lost);
  const endpoint = openEndpoint<FrontToShard, Silent>(link.a, {
    handlers: {},
    onError: lost,
    onClose: (reason) => lost(new Error(`the link ended: ${reason}`)),
  });
  return {
    port: {
      run: async (work) => fromWire<ShardDone>(await endpoint.request('run', toWire(work), untilAnswered)),
      sync: (part) => endpoint.request('sync', toWire(part), untilAnswered),
      rollback: () => endpoint.request('rollback', null, untilAnswered),
    },
    close: async () => {
      isClosed = true;
      endpoint.close();
      await gone;
    },
  };
}
