import { workerData } from 'node:worker_threads';
import { openEndpoint } from '@prime/bus';
import { Shard, type ShardSync, type ShardWork } from '@prime/clob';
import { fromWire, toWire } from './shardMessages.ts';
import type { FrontToShard, Silent } from '../threads/protocols.ts';
import type { ShardThreadData } from './shardPool.ts';
import { failAs } from '../threads/threadFault.ts';

/** A shard of the order book: lives as long as its link. What it throws reaches the front as the answer, and ends the process there. */
const { params, link } = workerData as ShardThreadData;
const shard = new Shard(params);

openEndpoint<Silent, FrontToShard>(link, {
  handlers: {
    run: (work) => toWire(shard.run(fromWire<ShardWork>(work))),
    sync: (part) => {
      shard.sync(fromWire<ShardSync>(part));
      return null;
    },
    rollback: () => {
      shard.rollback();
      return null;
    },
    status: () => null,
    fail: (how) => {
      // Not as the answer: a handler that throws is no thread that fails.
      setImmediate(() => failAs(how));
      return null;
    },
  },
});
