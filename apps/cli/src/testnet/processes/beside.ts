import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Guard } from '@prime/chaos/plain';
import { endedOrKilled } from './ending.ts';
import { openLogFile } from './nodeLog.ts';
import { programPath } from '../program.ts';

/** A process of `prime` that runs beside the validators of a local network. */
export interface RunningBeside {
  /** The line by which it says that it is ready; null where it ended before. */
  readonly ready: Promise<string | null>;
  /** Asks it to end, and waits for that. */
  stop(): Promise<void>;
}

/** A process that runs beside the nodes, and when it counts as ready. */
export interface BesideOptions {
  /** As people call it: "the bots". */
  readonly name: string;
  readonly args: readonly string[];
  /** Default: `prime`. */
  readonly program?: string;
  /** Gets every line that it writes. */
  readonly log: string;
  readonly isReady: (line: string) => boolean;
  /** Of one that ends when its work is done: what to say then. Default: that it ended, and where to read why. */
  readonly endWords?: (code: number | null) => string;
  /** For what does not notice by itself that this process is gone: kills it then. */
  readonly guard?: Guard;
  readonly say: (line: string) => void;
}

/** The exit code; null where a signal ended it, or it could not be started. */
const gone = (child: ChildProcess): Promise<number | null> =>
  once(child, 'close').then(
    ([code]) => code as number | null,
    () => null,
  );

/** Starts a process of `prime`, or another program. The network goes on without it: where it ends by itself, that is told. */
export function startBeside(options: BesideOptions): RunningBeside {
  const { name, args, program = null, log, isReady, guard, say } = options;
  const endWords = options.endWords ?? ((code) => `${name} ended with exit code ${code}; why is in ${log}`);
  // As validators: out of reach of Ctrl-C, and told by the channel when this process is gone.
  const [command, ...first] = program === null ? [process.execPath, programPath] : [program];
  const child = spawn(command!, [...first, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  guard?.add(child.pid);
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
  const ended = gone(child).then(async (code) => {
    guard?.remove(child.pid);
    await file.close();
    if (!isStopping) say(endWords(code));
    tellReady(null);
  });
  return {
    ready,
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      await endedOrKilled({ name, ended, kill: () => child.kill('SIGKILL'), say });
    },
  };
}
