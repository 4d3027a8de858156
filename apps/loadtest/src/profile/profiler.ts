import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@prime/testkit';
import { flameGraph } from './flameGraph.ts';
import { type Frame, stacksOfCpuProfile, stacksOfPerf, type Stacks } from './files.ts';

const agent = new URL('profiled.worker.js', import.meta.url);
/** Samples a second; a prime, for the same reason as `sampleMicros`. */
const perfHertz = 499;

/** Profiles the nodes of a network: each thread by V8, and all of them by perf where it is installed and may be used. */
export class Profiler {
  readonly directory: string;
  readonly hasPerf: boolean;
  #pids: readonly number[] = [];
  #perf: ChildProcess | null = null;

  constructor(directory: string) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
    const probe = spawnSync('perf', ['record', '-o', this.#perfData, '--', process.execPath, '--version']);
    this.hasPerf = probe.status === 0;
    rmSync(this.#perfData, { force: true });
  }

  get #perfData(): string {
    return join(this.directory, 'perf.data');
  }

  /** Environment of the nodes. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${agent.href}`, PROFILE_DIR: this.directory };
  }

  /** Threads of a node by the system's number; the others of the process are of V8, of libuv, and of LevelDB. */
  threadsOf(pid: number): ReadonlyMap<number, string> {
    const names = new Map<number, string>();
    for (const [index, text] of this.#files('thread', pid)) {
      const name = this.#files('name', pid).get(index);
      if (name !== undefined) names.set(Number(text), name);
    }
    return names;
  }

  /** Begins profiles of all threads of the nodes. */
  begin(pids: readonly number[]): void {
    this.#pids = pids;
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
    if (!this.hasPerf) return;
    const args = ['record', '-F', `${perfHertz}`, '-g', '-o', this.#perfData, '-p', pids.join(',')];
    this.#perf = spawn('perf', args, { stdio: 'ignore' });
  }

  /** Ends them. Some load has to follow: a thread that waits for work hears of it with the next. */
  end(): void {
    for (const pid of this.#pids) process.kill(pid, 'SIGUSR2');
    this.#perf?.kill('SIGINT');
  }

  /** Profiles of V8 by process, once all threads have written theirs. A thread of a pool that had nothing to do has none. */
  async cpuProfiles(): Promise<ReadonlyMap<number, ReadonlyMap<number, Stacks>>> {
    await until('all threads have written their profiles', async () =>
      this.#pids.every((pid) => this.#files('profile', pid).size === this.#files('begun', pid).size),
    );
    return new Map(
      this.#pids.map((pid) => {
        const names = this.#files('name', pid);
        const ids = this.#files('thread', pid);
        const stacks = [...this.#files('profile', pid)].map(
          ([index, text]) => [Number(ids.get(index)), stacksOfCpuProfile(names.get(index)!, JSON.parse(text))] as const,
        );
        for (const [index, text] of this.#files('profile', pid)) {
          const graph = flameGraph(stacksOfCpuProfile(names.get(index)!, JSON.parse(text)));
          writeFileSync(
            join(this.directory, `${fileName(this.#pids.indexOf(pid), names.get(index)!, index)}.svg`),
            graph,
          );
        }
        return [pid, new Map(stacks)];
      }),
    );
  }

  /** Samples of perf by thread of the system; none where there is no perf. */
  async perfStacks(): Promise<ReadonlyMap<number, readonly (readonly Frame[])[]>> {
    const perf = this.#perf;
    if (perf === null) return new Map();
    if (perf.exitCode === null && perf.signalCode === null) await once(perf, 'exit');
    const script = spawn('perf', ['script', '-i', this.#perfData, '-F', 'tid,ip,sym,dso'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    script.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
    await once(script, 'close');
    rmSync(this.#perfData, { force: true });
    return stacksOfPerf(Buffer.concat(chunks).toString());
  }

  /** Leaves only what people read: profiles by the name of node and thread. */
  tidy(): void {
    for (const [node, pid] of this.#pids.entries()) {
      const names = this.#files('name', pid);
      for (const index of this.#files('profile', pid).keys()) {
        const to = join(this.directory, `${fileName(node, names.get(index)!, index)}.cpuprofile`);
        renameSync(join(this.directory, `profile-${pid}-${index}.cpuprofile`), to);
      }
    }
    for (const file of readdirSync(this.directory))
      if (/^(thread|name|begun)-/.test(file)) rmSync(join(this.directory, file));
  }

  /** What the agents of a process wrote: texts by number of the thread in Node.js. */
  #files(kind: 'thread' | 'name' | 'begun' | 'profile', pid: number): ReadonlyMap<string, string> {
    const found = readdirSync(this.directory).filter((file) => file.startsWith(`${kind}-${pid}-`));
    return new Map(
      found.map((file) => [/-(\d+)(?:\.\w+)?$/.exec(file)![1]!, readFileSync(join(this.directory, file), 'utf8')]),
    );
  }
}

/** A pool has several threads of one name. */
const fileName = (node: number, thread: string, index: string): string =>
  `validator${node}-${thread.replace(/ pool$/, `-pool-${index}`)}`;

/** Where profiles go when nobody says: `.prime/profiles` in the repository. */
export const defaultDirectory = fileURLToPath(new URL('../../../../.prime/profiles/', import.meta.url));
