import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { programPath } from '../../testnet/program.ts';
import type { Complaint, ProcessEnd } from '../verdict/evidence.ts';

/** Last lines that are kept of a process, for the words of an unexpected end. */
const tailLines = 4;

export interface NodeProcessOptions {
  readonly index: number;
  readonly home: string;
  readonly logPath: string;
  readonly nowMs: () => number;
  readonly onEnd: (end: ProcessEnd) => void;
  readonly onComplaint: (complaint: Complaint) => void;
}

export interface StartOptions {
  readonly clockOffsetMs?: number;
  /** Limit on the size of files, bytes; a multiple of 512. */
  readonly fileBytesMax?: number;
  /** Crash point at which it dies. */
  readonly crashAt?: number;
  /** Exit codes and signals with which it may end by itself. */
  readonly mayEndWith?: readonly (number | string)[];
}

/** Lines that an honest network never writes. */
const complaints: ReadonlySet<string> = new Set(['equivocation seen', 'peer banned', 'a peer sent a wrong block']);

/** One validator of a chaos run; started again and again. */
export class NodeProcess {
  readonly index: number;
  readonly home: string;
  readonly #options: NodeProcessOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | null = null;
  #expected: readonly (number | string)[] = [];
  #paused = false;
  #ready = false;

  constructor(options: NodeProcessOptions) {
    this.index = options.index;
    this.home = options.home;
    this.#options = options;
    this.#log = createWriteStream(options.logPath, { flags: 'a' });
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Serves, as far as this process knows. */
  get serving(): boolean {
    return this.running && this.#ready && !this.#paused;
  }

  get pid(): number | null {
    return this.running ? (this.#child?.pid ?? null) : null;
  }

  /** Starts it. @returns when it serves, or has ended before it did */
  async start(options: StartOptions = {}): Promise<'ready' | 'ended'> {
    const child = launch(this.home, options);
    this.#child = child;
    this.#expected = options.mayEndWith ?? [];
    this.#ready = false;
    const tail: string[] = [];
    const ready = new Promise<'ready'>((resolve) => {
      for (const stream of [child.stdout!, child.stderr!])
        createInterface({ input: stream }).on('line', (line) => {
          this.#log.write(`${line}\n`);
          tail.push(line);
          if (tail.length > tailLines) tail.shift();
          if (this.#read(line) !== 'ready') return;
          this.#ready = true;
          resolve('ready');
        });
    });
    const ended = once(child, 'close').then(([code, signal]): 'ended' => {
      this.#ready = false;
      const { index, nowMs, onEnd } = this.#options;
      const words = fatalLine(tail);
      onEnd({
        validator: index,
        atMs: nowMs(),
        code: code as number | null,
        signal: signal as string | null,
        expected: this.#expected,
        words,
      });
      return 'ended';
    });
    return Promise.race([ready, ended]);
  }

  /** Sends a signal and waits until the process is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || !this.running) return;
    this.#expected = signal === 'SIGKILL' ? [signal] : [0];
    const gone = once(child, 'close');
    child.kill(signal);
    if (this.#paused) this.resume();
    await gone;
  }

  pause(): void {
    this.#paused = true;
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#paused = false;
    this.#child?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    await new Promise<void>((resolve) => this.#log.end(resolve));
  }

  #read(line: string): string | null {
    const entry = parseLine(line);
    if (entry === null) return null;
    if (complaints.has(entry.msg)) {
      const { index, nowMs, onComplaint } = this.#options;
      onComplaint({ validator: index, atMs: nowMs(), words: line.slice(0, 400) });
    }
    return entry.msg;
  }
}

/** The channel tells the node when this process is gone without having stopped it; the shell hands it on. */
function launch(home: string, { clockOffsetMs = 0, crashAt, fileBytesMax }: StartOptions): ChildProcess {
  const args = [programPath, 'node', 'start', '--home', home, '--log-format', 'json'];
  const env = {
    ...process.env,
    ...(clockOffsetMs !== 0 && { PRIME_CLOCK_OFFSET_MS: `${clockOffsetMs}` }),
    ...(crashAt !== undefined && { PRIME_CRASH_AT: `${crashAt}` }),
  };
  const options = { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] as const, env, detached: true };
  const stdio = [...options.stdio];
  if (fileBytesMax === undefined) return spawn(process.execPath, args, { ...options, stdio });
  const limited = `ulimit -f ${Math.floor(fileBytesMax / 512)}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limited, process.execPath, ...args], { ...options, stdio });
}

function parseLine(line: string): { readonly msg: string } | null {
  try {
    const entry = JSON.parse(line) as { msg?: unknown } | null;
    return typeof entry?.msg === 'string' ? { msg: entry.msg } : null;
  } catch {
    return null;
  }
}

/** What a node said last about its own end. */
function fatalLine(tail: readonly string[]): string {
  const fatal = tail.findLast((line) => line.includes('"fatal:') || line.startsWith('prime:'));
  return (fatal ?? tail.at(-1) ?? '').slice(0, 600);
}
