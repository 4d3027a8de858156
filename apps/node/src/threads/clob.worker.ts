import { createClobEngine } from '@prime/clob';
import { openLink } from '../links.ts';
import type { EvmToClob, Silent } from '../protocols.ts';
import { runThread } from './threadMain.ts';

/** The order book thread: carries out what the execution thread asks, in order. */
runThread(async ({ data, fatal }) => {
  const { genesis } = data;
  const engine = createClobEngine(genesis.clob, genesis.actions);
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
      commit: () => engine.commit(),
      rollback: () => engine.rollback(),
    },
    fatal,
  );
  return {
    start: async () => ({}),
    stop: async () => evm.close(),
    status: () => ({ height }),
  };
});
