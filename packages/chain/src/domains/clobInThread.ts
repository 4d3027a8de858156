import { type createClobEngine, encodeOutcome } from '@prime/clob';
import type { ClobPort } from '../ports.ts';

/** An order book in the thread of the pipeline: where there are no threads, as in simulations. */
export const clobInThread = (engine: ReturnType<typeof createClobEngine>): ClobPort => ({
  restore: async (records) => engine.restore(records.map(({ key, value }) => [key, value!] as const)),
  genesis: async (markets) => encodeOutcome(engine.genesis(markets)),
  ordersRoot: async () => engine.ordersRoot(),
  prove: async (key) => engine.prove(key),
  execute: async (block) => encodeOutcome(engine.execute(block)),
  commit: async () => engine.commit(),
  rollback: async () => engine.rollback(),
});
