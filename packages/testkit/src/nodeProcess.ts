import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A process that is started and ended by hand; all of them end with the network. */
export interface RunningProcess {
  /** Resolves when it says that it is ready to serve. */
  start(): Promise<void>;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGHUP'): void;
  readonly home: string;
  readonly pid: number | null;
  readonly running: boolean;
  /** Null while it runs, and when a signal ended it. */
  readonly exitCode: number | null;
  /** Last lines that it wrote. */
  readonly tail: string;
}

/** How a node ended. */
export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it ever said that it is ready to serve. */
  readonly served: boolean;
  readonly output: string;
}

const cli = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const tailLines = 60;
const readyLine = '"msg":"ready"';

/** The process of one node or signer; it may be started again after its end. */
export class NodeProcess implements RunningProcess {
  readonly home: string;
  readonly #name: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #program: Program;
  #cli = cli;
  #child: ChildProcess | null = null;
  #lines: string[] = [];

  constructor(directory: string, name: string, environment: NodeJS.ProcessEnv, program: Program = 'node') {
    this.#program = program;
    this.home = join(directory, name);
    this.#name = name;
    this.#environment = { ...process.env, ...environment };
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get tail(): string {
    return this.#lines.join('\n');
  }

  async start(): Promise<void> {
    const child = launch(this.home, this.#environment, this.#program, this.#cli);
    this.#child = child;
    this.#lines = [];
    createInterface({ input: child.stderr }).on('line', (line) => this.#keep(line));
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.#keep(line);
        if (line.includes(readyLine)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`${this.#name} exited with ${code}:\n${this.tail}`)));
    });
  }

  change(environment: NodeJS.ProcessEnv): void {
    Object.assign(this.#environment, environment);
  }

  install(program: string | null): void {
    this.#cli = program ?? cli;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGHUP'): void {
    this.#child?.kill(signal);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === null || !this.running) return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > tailLines) this.#lines.shift();
  }
}

type Program = 'node' | 'signer';

/** Starts a node or a signer. A channel tells it when this process is gone: whatever ends a test, its network ends with it. */
export const launch = (home: string, environment: NodeJS.ProcessEnv, program: Program = 'node', command = cli) =>
  spawn(process.execPath, [command, program, 'start', '--home', home, '--log-format', 'json'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment,
  }) as ChildProcessByStdio<null, Readable, Readable>;

/** Waits for a process to end by itself. @param mayServe whether it goes on when it is ready to serve; else it is killed then */
export async function runToExit(child: ReturnType<typeof launch>, mayServe: boolean): Promise<Exit> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
      if (!mayServe && output.includes(readyLine)) child.kill('SIGKILL');
    });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, served: output.includes(readyLine), output };
}

/**
 * Runs a command of the CLI to its end.
 *
 * @returns `output` with what it says while it works; `stdout` alone is what a program would read
 */
export async function run(
  args: readonly string[],
  program = cli,
): Promise<{ readonly code: number; readonly output: string; readonly stdout: string }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`prime ${args.join(' ')} exited with ${code}: ${output}`);
  return { code, output, stdout };
}
