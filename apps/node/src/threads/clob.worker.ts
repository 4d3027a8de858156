import { createClobEngine, createPooledEngine, type PooledEngine } from '@prime/clob';
import { openLink } from '../links.ts';
import type { EvmToClob, Silent } from '../protocols.ts';
import { openShardPool } from '../shardPool.ts';
import { runThread } from './threadMain.ts';

/** The order book thread: carries out what the execution thread asks, in order; with shards where the configuration wants them. */
runThread(async ({ data, fatal }) => {
  const { genesis, config } = data;
  const { clob: params, actions } = genesis;
  const { shards, shardActionsMin: actionsMin } = config.clob;
  const { hangMs } = config.threads;
  const pool = shards > 1 ? openShardPool({ shards, params, hangMs, onFatal: fatal }) : null;
  const pooled: PooledEngine | null =
    pool === null ? null : createPooledEngine(params, actions, pool.ports, actionsMin);
  const engine = pooled ?? createClobEngine(params, actions);
  let height = 0;
  const evm = openLink<Silent, EvmToClob>(
    data,
    'evm-clob',
    {
      restore: (records) => {
        engine.restore(records.map(({ key, value }) => [key, value!] as const));
        return null;
      },
      genesis: (markets) => engine.genesis(markets),
      ordersRoot: () => engine.ordersRoot(),
      // A copy: the key is a view on the ring.
      prove: (key) => engine.prove(new Uint8Array(key)),
      execute: (block) => {
        height = block.height;
        return engine.execute(block);
      },
      commit: () => {
        // Behind the answer: nobody waits for it then.
        if (pooled !== null) setImmediate(() => pooled.settle());
        return engine.commit();
      },
      rollback: () => engine.rollback(),
    },
    fatal,
  );
  return {
    start: async () => ({}),
    stop: async () => {
      evm.close();
      await pool?.close();
    },
    status: () => ({ height, ...(pooled === null ? {} : { shards, blocks: pooled.counts }) }),
  };
});
