import { type ChildProcess, spawn } from 'node:child_process';

/** Ends what it was told of when its input ends: process numbers with + when they begin and - when they are gone. */
const script = `
all=
while read -r op pid; do
  if [ "$op" = + ]; then all="$all $pid"; continue; fi
  kept=
  for each in $all; do [ "$each" = "$pid" ] || kept="$kept $each"; done
  all=$kept
done
[ -z "$all" ] || kill -9 $all 2>/dev/null
`;

/**
 * Sees to it that no process of a run outlives the run, however that ends: a validator that is stopped with SIGSTOP can not notice by itself
 * that nobody is there any more. A shell of its own, where there is one; the end of this process in order ends them as well.
 */
export class Guard {
  readonly #pids = new Set<number>();
  readonly #shell: ChildProcess | null = null;
  readonly #onExit = (): void => {
    for (const pid of this.#pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone meanwhile.
      }
    }
  };

  constructor() {
    process.once('exit', this.#onExit);
    if (process.platform === 'win32') return;
    // In a session of its own: Ctrl-C is for this process only.
    this.#shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    this.#shell.on('error', () => undefined);
    this.#shell.stdin!.on('error', () => undefined);
  }

  add(pid: number | undefined): void {
    if (pid === undefined) return;
    this.#pids.add(pid);
    this.#shell?.stdin!.write(`+ ${pid}\n`);
  }

  remove(pid: number | undefined): void {
    if (pid === undefined) return;
    this.#pids.delete(pid);
    this.#shell?.stdin!.write(`- ${pid}\n`);
  }

  close(): void {
    process.off('exit', this.#onExit);
    this.#shell?.stdin!.end();
  }
}
