import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openLogFile } from './nodeLog.ts';
import { programPath } from './program.ts';

export interface RunningMakers {
  /** They have collateral and begin. */
  readonly ready: Promise<void>;
  /** Takes their orders back and ends them, while there is a network to ask. */
  stop(): Promise<void>;
}

/** How long bots may take to take their orders back before they are killed, ms. Orders end by themselves later. */
const stopTimeoutMs = 12_000;

/** Starts `prime bot local` beside a network; what it writes goes into `bots.log` of the folder, and its end is told. */
export function startMakers(directory: string, say: (line: string) => void): RunningMakers {
  const args = [programPath, 'bot', 'local', '--dir', directory];
  // As validators: out of reach of Ctrl-C, and told by the channel when this process is gone.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
  const log = join(directory, 'bots.log');
  const file = openLogFile(log);
  const ready = new Promise<void>((resolve) => {
    const take = (line: string): void => {
      file.write(line);
      if (line.includes('"msg":"ready"')) resolve();
    };
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', take);
  });
  let isStopping = false;
  const ended = once(child, 'close').then(async ([code]) => {
    await file.close();
    if (!isStopping) say(`the bots ended with exit code ${String(code)}; why is in ${log}`);
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
