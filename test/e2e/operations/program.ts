import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deadlineMs } from '@prime/testkit';
import { root } from '../../repo/repository.ts';

/** The bundled program, as its users start it. */
export const cli = join(root, 'apps/cli/dist/main.js');

/** A run of `prime`, with what it prints line by line. */
export class PrimeProcess {
  readonly child: ChildProcess;
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  /** Of both, as they came. */
  readonly lines: string[] = [];
  readonly #closed: Promise<unknown[]>;
  readonly #listeners: ((line: string) => void)[] = [];

  constructor(args: readonly string[], options: SpawnOptions = {}) {
    this.child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    this.#closed = once(this.child, 'close');
    for (const name of ['stdout', 'stderr'] as const)
      createInterface({ input: this.child[name]! }).on('line', (line) => {
        this[name].push(line);
        this.lines.push(line);
        for (const hear of this.#listeners) hear(line);
      });
  }

  /** The first line with these words. @throws Error with all lines where it ends before, or is silent for too long */
  says(words: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const hear = (line: string): void => {
        if (line.includes(words)) resolve(line);
      };
      const without = (why: string) => (): void =>
        reject(new Error(`${why} without "${words}":\n${this.lines.join('\n')}`));
      this.lines.forEach(hear);
      this.#listeners.push(hear);
      // Its last lines come with its end, and the end may have been before.
      void this.#closed.then(without('it ended'));
      const deadline = setTimeout(without(`${deadlineMs} ms went by`), deadlineMs);
      void this.#closed.then(() => clearTimeout(deadline));
      deadline.unref();
    });
  }

  /** Waits for its end, which a signal may bring. @returns the exit code; null where a signal ended it */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal !== undefined) this.child.kill(signal);
    const [code] = (await this.#closed) as [number | null];
    return code;
  }
}
