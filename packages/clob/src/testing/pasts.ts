import {
  type ActionResult,
  type ClobParams,
  type ContractAction,
  encodeActionResult,
  encodeResultFrames,
  type GenesisMarket,
} from '@prime/codec';
import { assert, bytesEqual, bytesToHex } from '@prime/primitives';
import { createInspectableEngine } from '../engine.ts';
import type { FirstRoom } from '../book/firstRoom.ts';
import type { ClobBlock, ClobEngine, ClobOutcome } from '../ports.ts';
import type { ClobState } from '../state/state.ts';
import {
  createHarness,
  defaultMarkets,
  defaultParams,
  type Harness,
  type HarnessOptions,
  type Step,
} from './harness.ts';
import { createLocalPool } from './localPool.ts';

/**
 * Engines that get the same blocks and differ in what their process did before: when it was started, how large its tables are, what it executed and took back.
 * Nothing of that may show: after each block every byte that they write, say and hash is compared.
 */
export interface Past {
  readonly name: string;
  readonly firstRoom?: FirstRoom;
  readonly wideBooks?: boolean;
  readonly shards?: number;
  /** Measures the room of every account anew in each block, see room.ts. */
  readonly forgetsRooms?: boolean;
  /** Starts anew from the records after so many blocks, over and over. */
  readonly restartEvery?: number;
  /** Executes each block twice, the first time in vain. */
  readonly repeats?: boolean;
  /** Executes the blocks that nobody commits, too: its tables have grown for them. */
  readonly drops?: boolean;
}

const oneRow: FirstRoom = () => 1;
const roomy: FirstRoom = (usual) => usual * 16;

export const pasts: readonly Past[] = [
  { name: 'was there all along' },
  { name: 'starts before each block', restartEvery: 1 },
  { name: 'starts now and then', restartEvery: 3, drops: true },
  { name: 'has tables of one row', firstRoom: oneRow },
  { name: 'has tables of one row and starts before each block', firstRoom: oneRow, restartEvery: 1 },
  { name: 'has large tables', firstRoom: roomy, drops: true },
  { name: 'executes each block twice', repeats: true, restartEvery: 4 },
  { name: 'executes what nobody commits', drops: true },
  { name: 'forgets rooms before each block', forgetsRooms: true, drops: true },
  { name: 'has wide books', wideBooks: true, restartEvery: 5 },
  { name: 'has two shards', shards: 2, restartEvery: 7 },
];

export interface CourseOptions {
  readonly params?: Partial<ClobParams>;
  readonly markets?: readonly GenesisMarket[];
  readonly pasts?: readonly Past[];
}

/** One of the engines, with the records that its own blocks wrote. */
class Runner {
  readonly past: Past;
  readonly records = new Map<string, readonly [Uint8Array, Uint8Array]>();
  readonly #options: HarnessOptions;
  #engine: ClobEngine;
  /** Null where shards have it. */
  #state: ClobState | null = null;
  #blocks = 0;

  constructor(past: Past, options: HarnessOptions) {
    this.past = past;
    this.#options = options;
    this.#engine = this.#create();
    this.#keep(this.#engine.genesis(options.markets ?? defaultMarkets));
  }

  run(block: ClobBlock): ClobOutcome {
    const { restartEvery, repeats, forgetsRooms } = this.past;
    if (restartEvery !== undefined && ++this.#blocks % restartEvery === 0) this.#restart();
    if (repeats === true) {
      read(this.#engine.execute(block));
      this.#engine.rollback();
    }
    if (forgetsRooms === true) this.#state!.regime++;
    const outcome = this.#engine.execute(block);
    read(outcome);
    return this.#keep(outcome);
  }

  drop(block: ClobBlock): void {
    if (this.past.drops !== true) return;
    read(this.#engine.execute(block));
    this.#engine.rollback();
  }

  /** Whether the state that a new process would build has the root that this one has. */
  #restart(): void {
    const root = this.#engine.ordersRoot();
    this.#engine = this.#create();
    this.#engine.restore(this.records.values());
    assert(this.#engine.ordersRoot() === root, `another root after the start: ${this.past.name}`);
  }

  #create(): ClobEngine {
    const { wideBooks = false, firstRoom, shards } = this.past;
    const params = { ...defaultParams, ...this.#options.params };
    const options = { params, actionsMode: 'open', wideBooks, ...(firstRoom && { firstRoom }) } as const;
    if (shards !== undefined) return createLocalPool(options, shards).engine;
    const { engine, state } = createInspectableEngine(options);
    this.#state = state;
    return engine;
  }

  #keep(outcome: ClobOutcome): ClobOutcome {
    const { writes } = outcome;
    this.#engine.commit();
    for (const { key, value } of writes) {
      if (value === null) this.records.delete(String(key));
      else this.records.set(String(key), [key, value]);
    }
    return outcome;
  }
}

/** Has everything made that an outcome makes when it is asked. */
function read({ results, events, writes }: ClobOutcome): void {
  assert(results.length >= 0 && events.length >= 0 && writes.length >= 0, 'an outcome has no lists');
}

/** A harness whose blocks run in engines of all pasts. */
export class Course {
  readonly harness: Harness;
  readonly #runners: readonly Runner[];

  constructor(options: CourseOptions = {}) {
    const { pasts: all = pasts, ...plain } = options;
    this.harness = createHarness(plain);
    this.#runners = all.map((past) => new Runner(past, plain));
  }

  /** Records of the state. */
  get records(): ReadonlyMap<string, readonly [Uint8Array, Uint8Array]> {
    return this.harness.records;
  }

  /** Runs a block everywhere. @param look sees the harness's block before it is committed @throws Error with past and kind of the first difference */
  block(
    steps: readonly Step[],
    { atMs, writes = [], look }: { atMs?: number; writes?: readonly ContractAction[]; look?: Look } = {},
  ): ClobOutcome {
    const { harness } = this;
    const outcome = harness.propose(steps, atMs, writes);
    look?.(harness, outcome);
    harness.keep(outcome);
    for (const runner of this.#runners) expectSame(runner, runner.run(harness.given()!), outcome);
    return outcome;
  }

  /** Has a block executed and taken back by those who do such things. */
  drop(steps: readonly Step[], atMs?: number): void {
    this.harness.drop(steps, atMs);
    for (const runner of this.#runners) runner.drop(this.harness.given()!);
  }
}

/** Looks at a block that is pending. */
export type Look = (harness: Harness, outcome: ClobOutcome) => void;

function expectSame({ past }: Runner, a: ClobOutcome, b: ClobOutcome): void {
  const fail = (what: string): never => {
    throw new Error(`other ${what}: the engine that ${past.name}`);
  };
  if (!bytesEqual(encodeResultFrames(a.results), encodeResultFrames(b.results)))
    fail(`results ${firstDifference(a.results, b.results)}`);
  if (!bytesEqual(a.events, b.events)) fail('events');
  if (a.writes.length !== b.writes.length) fail(`number of records, ${a.writes.length} and ${b.writes.length}`);
  for (const [index, { key, value }] of a.writes.entries()) {
    const { key: otherKey, value: otherValue } = b.writes[index]!;
    const isSame =
      bytesEqual(key, otherKey) &&
      (value === null || otherValue === null ? value === otherValue : bytesEqual(value, otherValue));
    if (!isSame) fail(`record ${bytesToHex(key)} ${value && bytesToHex(value)}`);
  }
  if (a.ordersRoot !== b.ordersRoot) fail('root');
  if (a.escrow !== b.escrow || a.escrowChange !== b.escrowChange) fail('escrow');
  if (creditsOf(a) !== creditsOf(b)) fail('credits');
  if (JSON.stringify(a.rest) !== JSON.stringify(b.rest)) fail(`rest ${JSON.stringify([a.rest, b.rest])}`);
}

function firstDifference(a: readonly ActionResult[], b: readonly ActionResult[]): string {
  const at = a.findIndex((result, index) => !bytesEqual(encodeActionResult(result), encodeActionResult(b[index]!)));
  return `of action ${at}`;
}

const creditsOf = ({ credits }: ClobOutcome): string => credits.map(({ to, amount }) => `${to} ${amount}`).join();
