import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { cli } from '../../e2e/operations/program.ts';

/** A line that a bot logged. */
export interface BotLine {
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** One life of a bot: from its start to its end, however it came. */
export interface BotLife {
  readonly lines: readonly BotLine[];
  readonly end: { readonly code: number | null; readonly signal: string | null } | null;
}

/** `prime bot` as a process that may be killed and started again; what all of its lives logged is kept. */
export class BotProcess {
  readonly lives: { lines: BotLine[]; end: BotLife['end'] }[] = [];
  readonly #args: readonly string[];
  #child: ChildProcessByStdio<null, Readable, Readable> | null = null;
  #waiting: { readonly matches: (line: BotLine) => boolean; readonly resolve: (line: BotLine | null) => void }[] = [];

  /** @param args behind `prime bot` */
  constructor(args: readonly string[]) {
    this.#args = [...args, '--log-format', 'json', '--log-level', 'debug'];
  }

  get running(): boolean {
    return this.#child !== null;
  }

  start(): void {
    const life: (typeof this.lives)[number] = { lines: [], end: null };
    this.lives.push(life);
    // The channel tells it when this process is gone.
    const child = spawn(process.execPath, [cli, 'bot', ...this.#args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child as ChildProcessByStdio<null, Readable, Readable>;
    const take = (text: string): void => {
      const line = parse(text);
      life.lines.push(line);
      this.#waiting = this.#waiting.filter(({ matches, resolve }) => {
        if (!matches(line)) return true;
        resolve(line);
        return false;
      });
    };
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', take);
    child.once('close', (code, signal) => {
      life.end = { code, signal };
      this.#child = null;
      for (const { resolve } of this.#waiting.splice(0)) resolve(null);
    });
  }

  /** The next line that matches. @throws Error when the bot ends before */
  async line(what: string, matches: (line: BotLine) => boolean): Promise<BotLine> {
    if (!this.running) throw new Error(`the bot does not run, and ${what} was waited for`);
    const line = await new Promise<BotLine | null>((resolve) => this.#waiting.push({ matches, resolve }));
    if (line !== null) return line;
    throw new Error(`the bot ended before ${what}: ${JSON.stringify(this.lives.at(-1)?.lines.slice(-5))}`);
  }

  /** Resolves when it has ended by itself. */
  async ended(): Promise<BotLife['end']> {
    if (this.#child !== null) await once(this.#child, 'close');
    return this.lives.at(-1)?.end ?? null;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<BotLife['end']> {
    const child = this.#child;
    if (child === null) return this.lives.at(-1)?.end ?? null;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return this.lives.at(-1)!.end;
  }
}

/** What is no JSON is an error message of the program. */
function parse(text: string): BotLine {
  try {
    return JSON.parse(text) as BotLine;
  } catch {
    return { msg: text };
  }
}
