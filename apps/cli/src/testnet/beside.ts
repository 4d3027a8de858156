import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openLogFile } from './nodeLog.ts';
import { programPath } from './program.ts';

/** A process of `prime` that runs beside the validators of a local network. */
export interface RunningBeside {
  /** The line by which it says that it is ready; null where it ended before. */
  readonly ready: Promise<string | null>;
  /** Asks it to end, and waits for that. */
  stop(): Promise<void>;
}

export interface BesideOptions {
  /** As people call it: "the bots". */
  readonly name: string;
  readonly args: readonly string[];
  /** Gets every line that it writes. */
  readonly log: string;
  readonly isReady: (line: string) => boolean;
  readonly say: (line: string) => void;
}

/** How long it may take to end before it is killed, ms. */
const stopTimeoutMs = 12_000;

/** Starts a process of `prime`. The network goes on without it: where it ends by itself, that is told. */
export function startBeside({ name, args, log, isReady, say }: BesideOptions): RunningBeside {
  // As validators: out of reach of Ctrl-C, and told by the channel when this process is gone.
  const child = spawn(process.execPath, [programPath, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const file = openLogFile(log);
  let isStopping = false;
  let tellReady: (line: string | null) => void;
  const ready = new Promise<string | null>((resolve) => {
    tellReady = resolve;
  });
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', (line) => {
      file.write(line);
      if (isReady(line)) tellReady(line);
    });
  const ended = once(child, 'close').then(async ([code]) => {
    await file.close();
    if (!isStopping) say(`${name} ended with exit code ${String(code)}; why is in ${log}`);
    tellReady(null);
  });
  return {
    ready,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      await ended;
      clearTimeout(killer);
    },
  };
}
