import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { allocatorEnvironment } from '@prime/config';

/** What is special about one start of a node. */
export interface NodeStart {
  readonly clockOffsetMs?: number;
  /** Limit on the size of files, bytes; a multiple of 512. */
  readonly fileBytesMax?: number;
  /** Crash point at which it dies. */
  readonly crashAt?: number;
  /** Further environment: switches of tests, and keys of the configuration. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Unit of the limit that a shell sets, bytes. */
const blockBytes = 512;

/**
 * Starts a node in a process group of its own: Ctrl-C reaches this process only, which then ends its nodes in order. The channel tells the node when this
 * process is gone without having stopped it; the shell hands it on.
 *
 * @param program main.js of the command
 * @param flags of `node start`, besides its home and the format of its log
 */
export function launchNode(
  program: string,
  home: string,
  flags: readonly string[],
  start: NodeStart = {},
): ChildProcess {
  const { clockOffsetMs = 0, crashAt, fileBytesMax, environment = {} } = start;
  const args = [program, 'node', 'start', '--home', home, ...flags, '--log-format', 'json'];
  const env = {
    ...allocatorEnvironment,
    ...process.env,
    ...(clockOffsetMs !== 0 && { PRIME_CLOCK_OFFSET_MS: `${clockOffsetMs}` }),
    ...(crashAt !== undefined && { PRIME_CRASH_AT: `${crashAt}` }),
    ...environment,
  };
  const settings: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env, detached: true };
  if (fileBytesMax === undefined) return spawn(process.execPath, args, settings);
  const limited = `ulimit -f ${Math.floor(fileBytesMax / blockBytes)}; exec "$0" "$@"`;
  return spawn('/bin/sh', ['-c', limited, process.execPath, ...args], settings);
}
