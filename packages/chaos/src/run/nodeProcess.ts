import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Complaint, ProcessEnd } from '@prime/audit';
import type { Guard } from './guard.ts';
import { launchNode, type NodeStart } from './launchNode.ts';

/** Last lines that are kept of a process, for the words of an unexpected end. */
const tailLines = 4;
/** A process that is told to stop is gone by then, times the patience of the run, ms: the node gives itself 10 s. */
const stopMsMax = 30_000;
/** One that is started serves by then, or has ended, ms. Only to go on: what is promised of it is the recovery of the phase. */
const startMsMax = 120_000;

/** What the process of one node is made from, and who is told of its end and of its complaints. */
export interface NodeProcessOptions {
  readonly index: number;
  readonly home: string;
  readonly role: Role;
  /** main.js of the command. */
  readonly program: string;
  readonly logPath: string;
  readonly patience: number;
  readonly guard: Guard;
  readonly nowMs: () => number;
  readonly onEnd: (end: ProcessEnd) => void;
  /** @param about address of the peer that the line names */
  readonly onComplaint: (complaint: Complaint, about: string | null) => void;
}

/** What a node is started as: `full` follows the chain and signs nothing. */
export type Role = 'validator' | 'full';

/** What became of a start. */
export type Started = 'ready' | 'ended' | 'late';

/** How one start differs from the usual one of the node. */
export interface StartOptions extends NodeStart {
  /** Another build than the one of the run: its main.js. */
  readonly program?: string;
  /** Exit codes and signals with which it may end by itself. */
  readonly mayEndWith?: readonly (number | string)[];
}

/** Lines that an honest network never writes. */
const complaints: ReadonlySet<string> = new Set(['equivocation seen', 'peer banned', 'a peer sent a wrong block']);

/** One validator of a chaos run; started again and again. */
export class NodeProcess {
  readonly index: number;
  readonly home: string;
  /** From the next start on. */
  role: Role;
  readonly #options: NodeProcessOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | null = null;
  /** Of the process that runs now. */
  #expected: (number | string)[] = [];
  #paused = false;
  #ready = false;

  constructor(options: NodeProcessOptions) {
    this.index = options.index;
    this.home = options.home;
    this.role = options.role;
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

  /** Starts it. @returns when it serves, has ended before it did, or does neither for long */
  async start(options: StartOptions = {}): Promise<Started> {
    const { guard, program } = this.#options;
    const child = launchNode(options.program ?? program, this.home, ['--role', this.role], options);
    guard.add(child.pid);
    this.#child = child;
    this.#paused = false;
    this.#expected = [...(options.mayEndWith ?? [])];
    const expected = this.#expected;
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
      guard.remove(child.pid);
      // The next process may run already: this one's output ends when its last line is read.
      if (this.#child === child) this.#ready = false;
      const { index, nowMs, onEnd } = this.#options;
      const words = fatalLine(tail);
      onEnd({
        validator: index,
        atMs: nowMs(),
        code: code as number | null,
        signal: signal as string | null,
        expected,
        words,
      });
      return 'ended';
    });
    return Promise.race([ready, ended, this.#late()]);
  }

  /** Sends a signal and waits until the process is gone; one that does not obey is ended, and that is not how it should have ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || !this.running) return;
    this.#expected.splice(0, Infinity, signal === 'SIGKILL' ? signal : 0);
    child.kill(signal);
    if (this.#paused) this.resume();
    await this.untilEnded(stopMsMax * this.#options.patience);
  }

  /**
   * Waits for a process that has to end by itself.
   *
   * @returns false when it did not in time: it is ended with SIGKILL then, which is not how it should have ended
   */
  async untilEnded(timeoutMs: number): Promise<boolean> {
    const child = this.#child;
    if (child === null || !this.running) return true;
    const gone = once(child, 'close');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([gone, late]);
    clearTimeout(timer);
    if (!this.running) return true;
    child.kill('SIGKILL');
    await gone;
    return false;
  }

  #late(): Promise<'late'> {
    // It holds up nothing when it is not waited for any more.
    return new Promise((resolve) => setTimeout(() => resolve('late'), startMsMax * this.#options.patience).unref());
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
      onComplaint({ validator: index, atMs: nowMs(), words: line.slice(0, 400) }, entry.peer);
    }
    return entry.msg;
  }
}

function parseLine(line: string): { readonly msg: string; readonly peer: string | null } | null {
  try {
    const entry = JSON.parse(line) as { msg?: unknown; peer?: unknown; validator?: unknown } | null;
    if (typeof entry?.msg !== 'string') return null;
    const peer = entry.peer ?? entry.validator;
    return { msg: entry.msg, peer: typeof peer === 'string' ? peer : null };
  } catch {
    return null;
  }
}

/** What a node said last about its own end. */
function fatalLine(tail: readonly string[]): string {
  const fatal = tail.findLast((line) => line.includes('"fatal:') || line.startsWith('prime:'));
  return (fatal ?? tail.at(-1) ?? '').slice(0, 600);
}
