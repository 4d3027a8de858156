import { createInspectableEngine, type ClobEngineOptions, type InspectableEngine } from '../engine.ts';
import type { ClobBlock, ClobEngine, ClobOutcome } from '../ports.ts';
import { ShardFront } from '../shards/front.ts';
import { Shard } from '../shards/shard.ts';

/** Of the platform; this package knows none. */
declare const structuredClone: <T>(value: T) => T;

/** An engine with shards in the same thread. What they tell each other is copied on the way, as between threads. */
export interface LocalPool extends Omit<InspectableEngine, 'engine'> {
  readonly engine: ClobEngine;
  readonly front: ShardFront;
}

export function createLocalPool(options: ClobEngineOptions, shards: number): LocalPool {
  const { engine, state, trie } = createInspectableEngine(options);
  const front = new ShardFront(engine, { shards, actionsMin: 1 });
  const pool = Array.from({ length: shards }, () => new Shard(options.params));
  let isLoaded = false;

  const load = (): void => {
    isLoaded = true;
    for (const [shard, parts] of front.load(3).entries())
      for (const part of parts) pool[shard]!.sync(structuredClone(part));
  };
  const execute = (block: ClobBlock): ClobOutcome => {
    if (!isLoaded) load();
    const work = front.begin(block);
    if (work === null) return front.execute(block);
    const done = work.map((part, shard) =>
      part === null ? null : structuredClone(pool[shard]!.run(structuredClone(part))),
    );
    const outcome = front.finish(done);
    if (outcome !== null) return outcome;
    takeBack(done);
    return front.execute(block);
  };
  const takeBack = (done: readonly ({ readonly kind: string } | null)[]): void => {
    for (const [shard, result] of done.entries()) if (result?.kind === 'done') pool[shard]!.rollback();
  };
  return {
    engine: {
      restore: (records) => engine.restore(records),
      genesis: (markets) => engine.genesis(markets),
      ordersRoot: () => engine.ordersRoot(),
      prove: (key) => engine.prove(key),
      execute,
      commit: () => {
        for (const [shard, sync] of front.commit().entries()) pool[shard]!.sync(structuredClone(sync));
        front.settle();
      },
      rollback: () => {
        if (front.rollback()) for (const shard of pool) shard.rollback();
      },
    },
    front,
    state,
    trie,
  };
}
