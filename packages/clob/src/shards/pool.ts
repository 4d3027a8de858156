import type { ClobParams, GenesisMarket } from '@prime/codec';
import type { Hash } from '@prime/primitives';
import { createInspectableEngine, type Engine } from '../engine.ts';
import type { ClobBlock, ClobEngine, ClobOutcome } from '../ports.ts';
import { type PoolCounts, ShardFront } from './front.ts';
import type { ShardDone, ShardSync, ShardWork } from './messages.ts';

/** A shard, wherever it is. It answers in the order in which it is asked. */
export interface ShardPort {
  run(work: ShardWork): Promise<ShardDone>;
  sync(part: ShardSync): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/** {@link ClobEngine} with shards that work side by side. One call at a time. */
export interface PooledEngine extends Pick<ClobEngine, 'restore' | 'ordersRoot' | 'prove'> {
  readonly counts: PoolCounts;
  genesis(markets: readonly GenesisMarket[]): ClobOutcome;
  execute(block: ClobBlock): Promise<ClobOutcome>;
  commit(): void;
  rollback(): void;
  /** Does what can wait until nobody waits for anything else; it is done before it is needed in any case. */
  settle(): void;
}

/** Orders in one message of the state that shards begin with. */
const ordersPerMessage = 20_000;

/** @param actionsMin of a block that shards take part in */
export function createPooledEngine(
  params: ClobParams,
  actionsMode: 'open' | 'signed',
  ports: readonly ShardPort[],
  actionsMin: number,
): PooledEngine {
  const { engine } = createInspectableEngine({ params, actionsMode });
  return new Pool(engine, ports, actionsMin);
}

class Pool implements PooledEngine {
  readonly #engine: Engine;
  readonly #front: ShardFront;
  readonly #ports: readonly ShardPort[];
  readonly #actionsMin: number;
  #isLoaded = false;
  /** What shards have not answered yet; a failure among it fails the next block. */
  #underWay: Promise<unknown>[] = [];

  constructor(engine: Engine, ports: readonly ShardPort[], actionsMin: number) {
    this.#engine = engine;
    this.#ports = ports;
    this.#actionsMin = actionsMin;
    this.#front = new ShardFront(engine, { shards: ports.length, actionsMin });
  }

  get counts(): PoolCounts {
    return this.#front.counts;
  }

  restore(records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): void {
    this.#engine.restore(records);
  }

  genesis(markets: readonly GenesisMarket[]): ClobOutcome {
    return this.#engine.genesis(markets);
  }

  ordersRoot(): Hash {
    return this.#engine.ordersRoot();
  }

  prove(key: Uint8Array): ReturnType<ClobEngine['prove']> {
    return this.#engine.prove(key);
  }

  async execute(block: ClobBlock): Promise<ClobOutcome> {
    const front = this.#front;
    // The state goes to the shards when the first block for them comes, not while a node starts.
    if (!this.#isLoaded && block.actions.length >= this.#actionsMin) await this.#load();
    await this.#answered();
    const work = front.begin(block);
    if (work === null) return front.execute(block);
    const ports = this.#ports;
    const done = await Promise.all(work.map(async (part, shard) => (part === null ? null : ports[shard]!.run(part))));
    const outcome = front.finish(done);
    if (outcome !== null) return outcome;
    await Promise.all(ports.filter((_, shard) => done[shard]?.kind === 'done').map((port) => port.rollback()));
    return front.execute(block);
  }

  commit(): void {
    for (const [shard, part] of this.#front.commit().entries()) this.#underWay.push(this.#ports[shard]!.sync(part));
    this.#watch();
  }

  rollback(): void {
    if (this.#front.rollback()) this.#underWay.push(...this.#ports.map((port) => port.rollback()));
    this.#watch();
  }

  settle(): void {
    this.#front.settle();
  }

  async #load(): Promise<void> {
    this.#isLoaded = true;
    const loads = this.#front.load(ordersPerMessage);
    await Promise.all(
      this.#ports.map(async (port, shard) => {
        for (const part of loads[shard]!) await port.sync(part);
      }),
    );
  }

  async #answered(): Promise<void> {
    const underWay = this.#underWay;
    this.#underWay = [];
    await Promise.all(underWay);
  }

  /** A failure is looked at by the next block; until then it is not unhandled. */
  #watch(): void {
    for (const answer of this.#underWay) answer.catch(() => undefined);
  }
}
