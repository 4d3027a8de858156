import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { allocatorEnvironment } from '@prime/config';
import { describeEntry, logLevel, openLogFile, parseLogLine } from './nodeLog.ts';
import { programPath } from './program.ts';

export interface RunningValidator {
  readonly name: string;
  readonly child: ChildProcess;
  /** The node serves. */
  readonly ready: Promise<void>;
  /** The process is gone, and its last line is in the log. */
  readonly ended: Promise<Ending>;
}

export type Ending =
  | { readonly kind: 'ended'; readonly name: string; readonly log: string; readonly code: number | null }
  | { readonly kind: 'signal' };

export interface StartOptions {
  readonly name: string;
  readonly home: string;
  /** Gets every line. */
  readonly log: string;
  /** Null: what the configuration says. */
  readonly logLevel: string | null;
  /** Shows every line, not only what went wrong. */
  readonly follow: boolean;
  /** Where the network is shown to people, which the validator tells browsers; null tells nothing. */
  readonly explorerUrl: string | null;
  readonly say: (line: string) => void;
}

/** Starts a validator; its lines go into its log, and the important ones to whoever started the network. */
export function startValidator(options: StartOptions): RunningValidator {
  const { name, home, log, logLevel: level, follow, explorerUrl, say } = options;
  const levelFlags = level === null ? [] : ['--log-level', level];
  const args = [programPath, 'node', 'start', '--home', home, '--log-format', 'json', ...levelFlags];
  // A process group of its own: Ctrl-C reaches this process only, which then stops the validators in order. The channel tells a
  // validator when this process is gone without having stopped it.
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    env: {
      ...allocatorEnvironment,
      ...process.env,
      ...(explorerUrl === null ? {} : { PRIME_RPC_EXPLORER_URL: explorerUrl }),
    },
  });
  const file = openLogFile(log);
  const leastShown = follow ? 0 : logLevel.warn;
  const ready = new Promise<void>((resolve) => {
    const take = (line: string): void => {
      file.write(line);
      const entry = parseLogLine(line);
      if (entry === null) return say(`${name}  ${line}`);
      if (entry.msg === 'ready') resolve();
      if (entry.level >= leastShown) say(`${name}  ${describeEntry(entry)}`);
    };
    for (const stream of [child.stdout!, child.stderr!]) createInterface({ input: stream }).on('line', take);
  });
  const ended = once(child, 'close').then(async ([code]): Promise<Ending> => {
    await file.close();
    return { kind: 'ended', name, log, code: code as number | null };
  });
  return { name, child, ready, ended };
}
