import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Audit, type DecidedBlock, differing, readBlocksByRpc, wrongAnswers, wrongReads } from '@prime/audit';
import { homePaths, parseGenesis } from '@prime/config';
import type { Genesis } from '@prime/codec';
import { createPrng, type Prng } from '@prime/primitives';
import { Clients } from './clients.ts';
import { Coverage } from './coverage.ts';
import { plannedFacts, readStoredChain, type StoredChain } from './decidedBlocks.ts';
import { wrongRecords } from './endStates.ts';
import type { SoakReport } from './report.ts';
import { named, Scene, type Shape } from './scene.ts';
import { allShapes } from './shapes/all.ts';
import { allValidators, markets, SoakFault, SoakNetwork } from './soakNetwork.ts';
import { StreamRecorder } from './streamRecorder.ts';
import { wantedBy, wrongStreams } from './wrongStreams.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly minutes: number;
  /** `prime` of another build; null for this one. */
  readonly program: string | null;
  /** Only shapes whose name holds one of these; then goals of others are not asked for. */
  readonly only: readonly string[];
  readonly log: (line: string) => void;
}

/** Whose orders and fills are listened to. */
const listened = ['canceller', 'sweeper', 'maker3', 'changer', 'counter', 'bank', 'long2', 'mixed1'].map(named);
/** Shapes between two comparisons. */
const shapesPerRound = 4;
/** Answers after which a validator is stopped in the middle of a shape, at most. */
const answersUntilStop = 120;

/** A run: rounds of shapes, each followed by the comparison of everything that it left behind. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const begun = performance.now();
  const network = await SoakNetwork.start(options.program);
  const genesis = parseGenesis(await readFile(homePaths(network.testnet.home(0)).genesis, 'utf8'));
  const run = new Run(options, network, genesis);
  try {
    await run.rounds(begun + options.minutes * 60_000);
    await run.end();
  } catch (error) {
    run.fault(error);
  } finally {
    await run.close();
  }
  return run.report((performance.now() - begun) / 1000);
}

class Run {
  readonly #options: SoakOptions;
  readonly #network: SoakNetwork;
  readonly #genesis: Genesis;
  readonly #random: Prng;
  readonly #coverage = new Coverage();
  readonly #audit: Audit;
  readonly #clients: Clients;
  readonly #recorder: StreamRecorder;
  readonly #scene: Scene;
  readonly #faults: string[] = [];
  readonly #shapes = new Map<string, number>();
  readonly #counts = { blocks: 0, actions: 0, transactions: 0 };

  constructor(options: SoakOptions, network: SoakNetwork, genesis: Genesis) {
    this.#options = options;
    this.#network = network;
    this.#genesis = genesis;
    this.#random = createPrng(options.seed);
    const see = this.#coverage.see.bind(this.#coverage);
    this.#audit = new Audit(genesis, { see, facts: plannedFacts });
    this.#clients = new Clients(network, this.#random.fork());
    this.#recorder = new StreamRecorder(network, Object.values(markets), listened);
    const of = { random: this.#random.fork(), clients: this.#clients, network, recorder: this.#recorder };
    this.#scene = new Scene(of);
  }

  async rounds(untilMs: number): Promise<void> {
    let waiting: Shape[] = [];
    for (let round = 0; round === 0 || performance.now() < untilMs; round++) {
      await this.#listen();
      for (let place = 0; place < shapesPerRound && (place === 0 || performance.now() < untilMs); place++) {
        if (waiting.length === 0) waiting = this.#shuffled();
        await this.#perform(waiting.pop()!);
      }
      await this.#compare(round % allValidators.length);
      if (this.#faults.length > 0) return;
    }
  }

  /** All shapes; the long ones in every third turn only. */
  #shuffled(): Shape[] {
    const { only } = this.#options;
    const isFirst = this.#shapes.size === 0;
    const chosen = allShapes.filter(
      ({ name, isLong = false }) =>
        (only.length === 0 || only.some((part) => name.includes(part))) &&
        (!isLong || isFirst || this.#random.chance(1, 3)),
    );
    if (chosen.length === 0) throw new SoakFault(`no shape is called ${only.join(' or ')}`);
    return chosen
      .map((shape) => ({ shape, place: this.#random.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ shape }) => shape);
  }

  async #listen(): Promise<void> {
    for (const node of this.#network.up) await this.#recorder.begin(node);
  }

  /** One shape; a validator is stopped before it, in the middle of it, or not at all. */
  async #perform(shape: Shape): Promise<void> {
    const dice = this.#random.below(4);
    const after = this.#random.below(answersUntilStop);
    const begun = performance.now();
    if (dice === 0) await this.#scene.disturb();
    const running = shape.run(this.#scene);
    const stopping = dice < 3 && dice > 0 ? this.#stopAfter(after, running) : null;
    await this.#network.guarded(Promise.all([running, stopping]));
    this.#shapes.set(shape.name, (this.#shapes.get(shape.name) ?? 0) + 1);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    this.#options.log(`${shape.name}: ${seconds} s`);
  }

  async #stopAfter(answers: number, running: Promise<void>): Promise<void> {
    const { counts } = this.#clients;
    const from = counts.http + counts.webSocket;
    let isOver = false;
    const over = (): void => void (isOver = true);
    running.then(over, over);
    await this.#scene.until('answers come', () =>
      Promise.resolve(isOver || counts.http + counts.webSocket - from >= answers),
    );
    await this.#scene.disturb();
  }

  /** Waits until all validators have the same and all streams told it, and compares with the model. */
  async #compare(reader: number): Promise<void> {
    const head = await this.#settled();
    const broken = this.#recorder.broken;
    if (broken.length > 0) this.#faults.push(`streams of validators ${broken.join(', ')} ended by themselves`);
    const recordings = this.#recorder.take();
    const asked = this.#clients.takeAsked();
    await this.#clients.rest();
    await this.#network.stop(reader, 'SIGTERM');
    const stored = await this.#stored(reader, this.#audit.next, true);
    await this.#network.back(reader);
    await this.#compareSources(reader, stored);
    const begun = performance.now();
    const { actions, streams } = this.#audit.replay(stored.blocks, wantedBy(recordings, listened));
    this.#network.rested();
    this.#count(stored);
    this.#faults.push(...this.#audit.faults.splice(0));
    this.#faults.push(...wrongAnswers(asked, actions), ...wrongStreams(recordings, streams));
    this.#faults.push(...this.#wrongRecords(reader, stored));
    const { model } = this.#audit;
    const reads = await Promise.all(
      this.#network.up.map((node) =>
        wrongReads((method, params) => this.#clients.read(method, params, node), `validator${node}`, model),
      ),
    );
    this.#faults.push(...reads.flat());
    this.#clients.takeAsked();
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    const what = `${asked.length} answers, ${recordings.length} recordings, ${this.#faults.length} faults`;
    this.#options.log(`compared up to block ${Math.max(stored.head, head)}: ${what}; ${seconds} s`);
  }

  /** What another validator tells over JSON-RPC of the blocks that one of them has on its disk. */
  async #compareSources(reader: number, { blocks }: StoredChain): Promise<void> {
    const other = allValidators.find((node) => node !== reader)!;
    const call = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
      this.#clients.read(method, params, other);
    // What the reader had last, the other one has soon.
    const head = blocks.at(-1)?.height ?? 0;
    await this.#scene.until(
      `validator${other} has block ${head}`,
      async () => Number(await call('eth_blockNumber')) >= head,
    );
    const range = { chainId: this.#genesis.chainId, from: this.#audit.next, to: head };
    let index = 0;
    for await (const told of readBlocksByRpc(call, range)) {
      const kept = blocks[index++];
      if (isDeepStrictEqual(told, kept)) continue;
      const what = `block ${told.height}: validator${other} over JSON-RPC, and the disk of validator${reader}`;
      for (const name of Object.keys(told) as (keyof DecidedBlock)[])
        if (!isDeepStrictEqual(told[name], kept?.[name]))
          this.#faults.push(...differing(`${what}: ${name}`, told[name], kept?.[name]));
    }
  }

  #wrongRecords(node: number, stored: StoredChain): string[] {
    return wrongRecords(stored, this.#audit.model, this.#genesis).map(
      (fault) => `records of validator${node}: ${fault}`,
    );
  }

  #stored(node: number, from: number, whole: boolean): Promise<StoredChain> {
    return readStoredChain(this.#network.testnet.home(node), this.#genesis, { from, whole });
  }

  #count({ blocks }: StoredChain): void {
    this.#counts.blocks += blocks.length;
    for (const { actions, transactions } of blocks) {
      this.#counts.actions += actions.length;
      this.#counts.transactions += transactions.length;
    }
  }

  /** A height that all validators have, two blocks after the last answer: what contracts asked for is done by then. */
  async #settled(): Promise<number> {
    const heights = (): Promise<number[]> =>
      Promise.all(
        allValidators.map(async (node) => Number(await this.#clients.read<string>('eth_blockNumber', [], node))),
      );
    const head = Math.max(...(await heights())) + 2;
    await this.#scene.until(`all validators have block ${head}`, async () => Math.min(...(await heights())) >= head);
    await this.#scene.until(
      'all streams told it',
      async () => this.#recorder.haveHeard(head) || this.#recorder.broken.length > 0,
    );
    return head;
  }

  /** All validators at once, the hard way; then all their disks, and all of them back once more. */
  async end(): Promise<void> {
    if (this.#faults.length > 0) return;
    await Promise.all(allValidators.map((node) => this.#network.stop(node, 'SIGKILL')));
    await Promise.all(allValidators.map((node) => this.#network.back(node)));
    await this.#settled();
    await this.#clients.rest();
    await Promise.all(allValidators.map((node) => this.#network.stop(node, 'SIGTERM')));
    const first = await this.#stored(0, this.#audit.next, true);
    this.#audit.replay(first.blocks, wantedBy([], listened));
    this.#count(first);
    this.#faults.push(...this.#audit.faults.splice(0));
    const chains = await Promise.all(allValidators.map((node) => this.#stored(node, 1, false)));
    for (const [node, { roots, ...stored }] of chains.entries()) {
      for (const [height, root] of chains[0]!.roots)
        if (roots.has(height) && roots.get(height) !== root)
          this.#faults.push(`validator${node} has root ${roots.get(height)} at ${height}, validator0 ${root}`);
      if (stored.head === first.head) this.#faults.push(...this.#wrongRecords(node, { roots, ...stored }));
    }
  }

  fault(error: unknown): void {
    const words =
      error instanceof Error && !(error instanceof SoakFault) ? (error.stack ?? error.message) : String(error);
    this.#faults.push(words);
  }

  async close(): Promise<void> {
    this.#recorder.take();
    await this.#network.destroy();
    await this.#clients.rest();
  }

  report(seconds: number): SoakReport {
    const { seed, minutes, program, only } = this.#options;
    const goals = this.#coverage.rows();
    const missed = only.length > 0 ? [] : goals.filter(({ blocks }) => blocks === 0).map(({ name }) => name);
    return {
      format: 'prime-soak-1',
      seed,
      minutes,
      program: program ?? 'this build',
      clean: this.#faults.length === 0 && missed.length === 0,
      seconds,
      ...this.#counts,
      answers: this.#clients.counts,
      stops: this.#network.stops,
      shapes: Object.fromEntries(this.#shapes),
      goals,
      missed,
      faults: this.#faults,
    };
  }
}
