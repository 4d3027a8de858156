import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Guard, launchNode, type NodeStart, type Started } from '@prime/chaos/plain';
import { endedOrKilled } from './ending.ts';
import { describeEntry, isAtLeast, openLogFile, parseLogLine } from './nodeLog.ts';
import { programPath } from '../program.ts';

/** Why a network ends: a process of it ended by itself, or somebody asked for it. */
export type Ending =
  | { readonly kind: 'ended'; readonly name: string; readonly log: string; readonly code: number | null }
  | { readonly kind: 'signal' };

/** A node that runs as a process of this machine, and what is shown of it. */
export interface LocalNodeOptions {
  readonly name: string;
  readonly home: string;
  /** Gets every line. */
  readonly log: string;
  /** Null: what the configuration says. */
  readonly logLevel: string | null;
  /** Shows every line, not only what went wrong. */
  readonly follow: boolean;
  /** Where the network is shown to people, which the node tells browsers; null tells nothing. */
  readonly explorerUrl: string | null;
  /** Ends it if this process is gone while it stands still. */
  readonly guard: Guard;
  readonly say: (line: string) => void;
}

/** A node of a local network: started, and, where faults are planned, ended and started again. Its lines go into its log, and the important ones to whoever started the network. */
export class LocalNode {
  readonly name: string;
  /** It ended, and nobody asked it to. */
  readonly failed: Promise<Ending>;
  readonly #options: LocalNodeOptions;
  #fail: (ending: Ending) => void = () => undefined;
  #child: ChildProcess | null = null;
  #closed: Promise<void> = Promise.resolve();
  #isAsked = false;
  #isPaused = false;
  #isClosed = false;

  constructor(options: LocalNodeOptions) {
    this.name = options.name;
    this.#options = options;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it. @returns when it serves, or has ended before it did */
  async start({ clockOffsetMs = 0 }: Pick<NodeStart, 'clockOffsetMs'> = {}): Promise<Started> {
    if (this.#isClosed) return 'ended';
    const { home, logLevel: level, explorerUrl, guard } = this.#options;
    const levelFlags = level === null ? [] : ['--log-level', level];
    const environment = explorerUrl === null ? {} : { PRIME_RPC_EXPLORER_URL: explorerUrl };
    const child = launchNode(programPath, home, levelFlags, { clockOffsetMs, environment });
    guard.add(child.pid);
    this.#child = child;
    this.#isAsked = false;
    this.#isPaused = false;
    return Promise.race([this.#served(child), this.#watchEnd(child)]);
  }

  /** Sends a signal and waits until the process is gone; one that does not obey is killed. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.running) return this.#closed;
    this.#isAsked = true;
    this.#child?.kill(signal);
    if (this.#isPaused) this.resume();
    await endedOrKilled({
      name: this.name,
      ended: this.#closed,
      kill: () => this.#child?.kill('SIGKILL'),
      say: this.#options.say,
    });
  }

  /** Ends it for good. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.end('SIGTERM');
  }

  pause(): void {
    this.#isPaused = true;
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#isPaused = false;
    this.#child?.kill('SIGCONT');
  }

  #watchEnd(child: ChildProcess): Promise<'ended'> {
    const { guard, log } = this.#options;
    const ended = once(child, 'close').then(([code]): 'ended' => {
      guard.remove(child.pid);
      if (!this.#isAsked) this.#fail({ kind: 'ended', name: this.name, log, code: code as number | null });
      return 'ended';
    });
    this.#closed = ended.then(() => undefined);
    return ended;
  }

  #served(child: ChildProcess): Promise<'ready'> {
    const { log, follow, say } = this.#options;
    const file = openLogFile(log);
    const leastShown = follow ? 'trace' : 'warn';
    child.once('close', () => void file.close());
    return new Promise((resolve) => {
      const take = (line: string): void => {
        file.write(line);
        const entry = parseLogLine(line);
        if (entry === null) return say(`${this.name}  ${line}`);
        if (entry.msg === 'ready') resolve('ready');
        if (isAtLeast(entry, leastShown)) say(`${this.name}  ${describeEntry(entry)}`);
      };
      for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', take);
    });
  }
}
