import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Complaint, MemorySample, ProcessEnd } from '@prime/audit';
import type { Prng } from '@prime/primitives';
import { Guard } from './guard.ts';
import type { NodeClient } from '../primeProgram.ts';
import { clockTime } from './clockTime.ts';
import { HeadWatch } from './headWatch.ts';
import { History } from '../evidence/history.ts';
import { type ChaosHomes, prepareHomes, type HomesOptions } from './homes.ts';
import { NodeProcess, type Started, type StartOptions } from './nodeProcess.ts';
import { SignLog } from '../evidence/signLog.ts';

/** What happened in a run, in words, and when: ms since its beginning. */
export interface TimelineEntry {
  readonly atMs: number;
  readonly words: string;
}

/** Undoes a fault. */
export type Heal = () => Promise<void>;

/** How large a network is, where it lives and how patient the run is; `patience` multiplies all deadlines. */
export interface NetworkOptions extends HomesOptions {
  /** The run is to end: nothing is waited for any more. Phases that have not begun are left out; what has been is judged. */
  readonly signal: AbortSignal;
  readonly prng: Prng;
  /** Told each line of the timeline as it happens, with its time. */
  readonly say: (line: string) => void;
}

const memoryIntervalMs = 5_000;
/** A node under chaos may stop in the middle of an answer: so long for the whole of it, ms. */
const answerMsMax = 15_000;

/** A network under chaos: its processes, its links, and what is observed of it all the time. */
export class ChaosNetwork {
  readonly #options: NetworkOptions;
  readonly homes: ChaosHomes;
  readonly nodes: readonly NodeProcess[];
  readonly watch: HeadWatch;
  readonly signLog = new SignLog();
  readonly history: History;
  readonly ends: ProcessEnd[] = [];
  readonly complaints: Complaint[] = [];
  readonly wrongAnswers: Complaint[] = [];
  /** What was done to the set of validators, and what of it did not work. */
  readonly changes: string[] = [];
  readonly failedChanges: Complaint[] = [];
  /** Addresses about which anybody may complain: of attackers, and of who was made to misbehave. */
  readonly outlaws = new Set<string>();
  /** Accounts to which the load has paid something. */
  readonly recipients: string[] = [];
  readonly memory: MemorySample[] = [];
  readonly timeline: TimelineEntry[] = [];
  readonly #begunMs = performance.now();
  readonly #running = new Set<() => Promise<unknown>>();
  readonly #guard = new Guard();
  #memoryTimer: NodeJS.Timeout | null = null;
  #measuring: Promise<void> = Promise.resolve();

  private constructor(options: NetworkOptions, homes: ChaosHomes) {
    this.#options = options;
    this.homes = homes;
    this.nodes = homes.homes.map(
      (home, index) =>
        new NodeProcess({
          index,
          home,
          patience: options.patience,
          guard: this.#guard,
          program: options.prime.path,
          role: index < options.validators ? 'validator' : 'full',
          logPath: join(options.directory, `${homes.names[index]}.log`),
          nowMs: () => this.nowMs(),
          onEnd: (end) => this.#ended(end),
          onComplaint: (complaint, about) => this.#complained(complaint, about),
        }),
    );
    this.history = new History(homes.homes.length);
    this.watch = new HeadWatch(homes.operatorUrls, this.nodes, () => this.nowMs(), options.prime.client);
  }

  /** Writes the homes and opens the links; starts nothing. */
  static async prepare(options: NetworkOptions): Promise<ChaosNetwork> {
    await mkdir(options.directory, { recursive: true });
    return new ChaosNetwork(options, await prepareHomes(options));
  }

  get prng(): Prng {
    return this.#options.prng;
  }

  /** main.js of the command that its nodes and their owners run. */
  get program(): string {
    return this.#options.prime.path;
  }

  /** A client that tells what a node does: nothing is asked twice, and a node that does not answer in time failed. */
  readonly client = (url: string, timeoutMs = answerMsMax): NodeClient => this.#options.prime.client(url, timeoutMs);

  /** Number of validators in the beginning. */
  get validators(): number {
    return this.#options.validators;
  }

  get interrupted(): boolean {
    return this.#options.signal.aborted;
  }

  get followers(): number {
    return this.#options.followers;
  }

  get patience(): number {
    return this.#options.patience;
  }

  name(index: number): string {
    return this.homes.names[index]!;
  }

  /** Validators and followers. */
  get all(): readonly number[] {
    return this.nodes.map(({ index }) => index);
  }

  /** Since the network was prepared. */
  nowMs(): number {
    return performance.now() - this.#begunMs;
  }

  say(words: string): void {
    const entry = { atMs: this.nowMs(), words };
    this.timeline.push(entry);
    this.#options.say(`${clockTime(entry.atMs)}  ${words}`);
  }

  node(index: number): NodeProcess {
    return this.nodes[index]!;
  }

  serving(): number[] {
    return this.nodes.filter(({ serving }) => serving).map(({ index }) => index);
  }

  async start(index: number, options?: StartOptions): Promise<Started> {
    const started = await this.node(index).start(options);
    if (started === 'late') this.say(`${this.name(index)} neither serves nor ends`);
    return started;
  }

  /** Begins to observe. */
  observe(): void {
    this.watch.start();
    this.#memoryTimer = setInterval(() => {
      this.#measuring = this.#measuring.then(() => this.#measure());
    }, memoryIntervalMs);
  }

  /** Reads logs and sign states of all homes as they are now. */
  collectSignatures(): void {
    for (const { index } of this.nodes) this.#collect(index);
  }

  /** What has to be ended with the network, whatever happens. @returns ends it, and forgets it here */
  untilClosed<Result>(end: () => Promise<Result>): () => Promise<Result> {
    const once = async (): Promise<Result> => {
      this.#running.delete(once);
      return end();
    };
    this.#running.add(once);
    return once;
  }

  /** Ends everything that is still there. */
  async close(): Promise<void> {
    for (const end of this.#running) await end();
    if (this.#memoryTimer !== null) clearInterval(this.#memoryTimer);
    await this.watch.stop();
    await this.#measuring;
    await Promise.all(this.nodes.map((node) => node.close()));
    await this.homes.mesh.close();
    this.#guard.close();
  }

  #ended(end: ProcessEnd): void {
    this.ends.push(end);
    this.#collect(end.validator);
    const how = end.code ?? end.signal;
    if (!end.expected.includes(how ?? '')) this.say(`${this.name(end.validator)} ended with ${how}: ${end.words}`);
  }

  #complained(complaint: Complaint, about: string | null): void {
    if (about === null || !this.outlaws.has(about)) this.complaints.push(complaint);
  }

  #collect(index: number): void {
    this.signLog.collect(this.node(index).home, this.homes.addresses[index]!, this.name(index));
  }

  async #measure(): Promise<void> {
    const pids = new Map(this.nodes.flatMap(({ pid, index }) => (pid === null ? [] : [[pid, index] as const])));
    if (pids.size === 0) return;
    let text: string;
    try {
      ({ stdout: text } = await run('ps', ['-o', 'pid=,rss=', '-p', [...pids.keys()].join(',')]));
    } catch {
      // All of them ended meanwhile.
      return;
    }
    const atMs = this.nowMs();
    for (const line of text.trim().split('\n')) {
      const [pid, kibibytes] = line.trim().split(/\s+/).map(Number) as [number, number];
      const validator = pids.get(pid);
      if (validator !== undefined) this.memory.push({ validator, pid, atMs, rssBytes: kibibytes * 1024 });
    }
  }
}

const run = promisify(execFile);
