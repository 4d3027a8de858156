import {
  type ClobEngine,
  type ClobOutcome,
  createClobEngine,
  createPooledEngine,
  type EncodedOutcome,
  encodeOutcome,
  type PooledEngine,
} from '@prime/clob';
import { openActions } from '@prime/codec';
import { openMetrics } from '@prime/telemetry';
import { openLink } from './links.ts';
import { nodeMetrics } from '../metrics/metrics.ts';
import type { EvmToClob, Silent } from './protocols.ts';
import { openShardPool } from '../pools/shardPool.ts';
import { runThread } from './threadMain.ts';

/** An outcome with all that is made late. What can not be made leaves no block pending: the next one may be another one. */
function whole(engine: Pick<ClobEngine, 'rollback'>, outcome: ClobOutcome): EncodedOutcome {
  try {
    return encodeOutcome(outcome);
  } catch (error) {
    engine.rollback();
    throw error;
  }
}

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
  const metrics = openMetrics(nodeMetrics, data.metrics);
  const evm = openLink<Silent, EvmToClob>(
    data,
    'evm-clob',
    {
      restore: (records) => {
        engine.restore(records.map(({ key, value }) => [key, value!] as const));
        return null;
      },
      genesis: (markets) => encodeOutcome(engine.genesis(markets)),
      ordersRoot: () => engine.ordersRoot(),
      // A copy: the key is a view on the ring.
      prove: (key) => engine.prove(new Uint8Array(key)),
      execute: (block) => {
        height = block.height;
        const startedMs = performance.now();
        const finish = (executed: ClobOutcome): EncodedOutcome => {
          const outcome = whole(engine, executed);
          metrics.observe('prime_matching_seconds', (performance.now() - startedMs) / 1000);
          return outcome;
        };
        const outcome = engine.execute({ ...block, actions: openActions(block.actions) });
        return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
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
