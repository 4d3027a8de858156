import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { validatorName } from '@prime/config';
import type { Prng } from '@prime/primitives';
import type { Complaint, MemorySample, ProcessEnd } from '../verdict/evidence.ts';
import { HeadWatch } from './headWatch.ts';
import { type ChaosHomes, prepareHomes } from './homes.ts';
import { NodeProcess, type StartOptions } from './nodeProcess.ts';
import { SignLog } from './signLog.ts';

export interface TimelineEntry {
  readonly atMs: number;
  readonly words: string;
}

export interface NetworkOptions {
  readonly directory: string;
  readonly validators: number;
  readonly seed: number;
  readonly basePort: number | null;
  readonly prng: Prng;
  /** Told of each line of the timeline as it happens. */
  readonly say: (entry: TimelineEntry) => void;
}

const memoryIntervalMs = 5_000;

/** A network under chaos: its processes, its links, and what is observed of it all the time. */
export class ChaosNetwork {
  readonly #options: NetworkOptions;
  readonly homes: ChaosHomes;
  readonly nodes: readonly NodeProcess[];
  readonly watch: HeadWatch;
  readonly signLog = new SignLog();
  readonly ends: ProcessEnd[] = [];
  readonly complaints: Complaint[] = [];
  readonly wrongAnswers: Complaint[] = [];
  readonly memory: MemorySample[] = [];
  readonly timeline: TimelineEntry[] = [];
  readonly #begunMs = performance.now();
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
          logPath: join(options.directory, `${validatorName(index)}.log`),
          nowMs: () => this.nowMs(),
          onEnd: (end) => this.#ended(end),
          onComplaint: (complaint) => this.complaints.push(complaint),
        }),
    );
    this.watch = new HeadWatch(homes.operatorUrls, this.nodes, () => this.nowMs());
  }

  /** Writes the homes and opens the links; starts nothing. */
  static async prepare(options: NetworkOptions): Promise<ChaosNetwork> {
    await mkdir(options.directory, { recursive: true });
    return new ChaosNetwork(options, await prepareHomes(options));
  }

  get prng(): Prng {
    return this.#options.prng;
  }

  get validators(): number {
    return this.nodes.length;
  }

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
    this.#options.say(entry);
  }

  node(index: number): NodeProcess {
    return this.nodes[index]!;
  }

  serving(): number[] {
    return this.nodes.filter(({ serving }) => serving).map(({ index }) => index);
  }

  start(index: number, options?: StartOptions): Promise<'ready' | 'ended'> {
    return this.node(index).start(options);
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

  /** Ends everything that is still there. */
  async close(): Promise<void> {
    if (this.#memoryTimer !== null) clearInterval(this.#memoryTimer);
    await this.watch.stop();
    await this.#measuring;
    await Promise.all(this.nodes.map((node) => node.close()));
    await this.homes.mesh.close();
  }

  #ended(end: ProcessEnd): void {
    this.ends.push(end);
    this.#collect(end.validator);
    const how = end.code ?? end.signal;
    if (!end.expected.includes(how ?? '')) this.say(`${validatorName(end.validator)} ended with ${how}: ${end.words}`);
  }

  #collect(index: number): void {
    this.signLog.collect(this.node(index).home, this.homes.addresses[index]!, validatorName(index));
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
