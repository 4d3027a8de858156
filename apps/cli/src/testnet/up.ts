import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { homePaths, type TestnetPlace, validatorName } from '@prime/config';
import { exitCode } from '@prime/node';
import { acquireDataDirLock } from '@prime/storage';
import { CliError } from '../errors.ts';
import { countValidators, movePorts, readPlaces, writeTestnet } from './files.ts';
import { freePlaces, wantedPlaces } from './ports.ts';
import { programPath } from './program.ts';

export interface UpOptions {
  readonly directory: string;
  /** Wanted number of validators; an existing network keeps its own. */
  readonly validators: number;
  readonly fresh: boolean;
}

/** Ready is: every validator has committed this block. */
const readyHeight = 3;
/** How long a validator may take to end after SIGTERM before it is killed, ms. */
const stopTimeoutMs = 12_000;

const say = (line: string): void => console.log(line);

/** Runs a whole network in the foreground until SIGINT or SIGTERM. @returns the exit code */
export async function runTestnet(options: UpOptions): Promise<number> {
  const begun = performance.now();
  const places = await prepare(options);
  const validators = places.map((_, index) => startValidator(options.directory, index));
  const stop = untilSignal();
  const ended = Promise.race(validators.map(({ ended: end }) => end));
  await Promise.race([stop, ended, Promise.all(validators.map(({ ready }) => ready))]);
  const polling = new AbortController();
  await Promise.race([stop, ended, allReached(places, polling.signal)]);
  polling.abort();
  if (validators.every(({ child }) => child.exitCode === null)) {
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    say(`\n  ${places.length} validators agree, block ${readyHeight} committed by all after ${seconds} s\n`);
    for (const [index, place] of places.entries())
      say(`  validator${index}  RPC http://127.0.0.1:${place.rpcPort}  admin http://127.0.0.1:${place.adminPort}`);
    say(`\n  chain id 7919 · data in ${options.directory} · accounts: ten of the standard test mnemonic, unlocked`);
    say('  npm run demo in another shell shows what it can do · Ctrl-C stops it, data are kept\n');
  }
  return shutDown(validators, await Promise.race([stop, ended]));
}

/** Makes or finds the network and ports that are free. */
async function prepare({ directory, validators, fresh }: UpOptions): Promise<TestnetPlace[]> {
  for (let index = 0; index < countValidators(directory); index++)
    refuseIfRunning(join(directory, validatorName(index)));
  if (fresh) await rm(directory, { recursive: true, force: true });
  if (countValidators(directory) === 0) {
    const places = await freePlaces(wantedPlaces(validators, null), say);
    await writeTestnet({ directory, preset: 'local', places, seed: null });
    say(`new network of ${validators} validators in ${directory}`);
    return places;
  }
  const present = await readPlaces(directory);
  const places = await freePlaces(present, say);
  if (JSON.stringify(places) !== JSON.stringify(present)) await movePorts(directory, places);
  say(`network of ${places.length} validators in ${directory}`);
  return places;
}

/** A network that runs already keeps its homes and its ports. @throws StorageError `DATA_DIR_LOCKED` */
const refuseIfRunning = (home: string): void => acquireDataDirLock(homePaths(home).lock).release();

interface RunningValidator {
  readonly name: string;
  readonly child: ChildProcess;
  /** The node serves. */
  readonly ready: Promise<void>;
  /** The process is gone. */
  readonly ended: Promise<Ending>;
}

type Ending =
  | { readonly kind: 'ended'; readonly name: string; readonly code: number | null }
  | { readonly kind: 'signal' };

function startValidator(directory: string, index: number): RunningValidator {
  const name = validatorName(index);
  const args = [programPath, 'node', 'start', '--home', join(directory, name), '--log-format', 'json'];
  // A process group of its own: Ctrl-C reaches this process only, which then stops the validators in order. The channel tells a
  // validator when this process is gone without having stopped it.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], detached: true });
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = parseLine(line);
      if (entry === null) return say(`${name}  ${line}`);
      if (entry.msg === 'ready') resolve();
      if (entry.level >= noticeLevel) say(`${name}  ${describe(entry)}`);
      return undefined;
    });
  });
  const ended = once(child, 'exit').then(([code]): Ending => ({ kind: 'ended', name, code: code as number | null }));
  return { name, child, ready, ended };
}

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** pino's number for warn: what the console of a whole network shows; each node's own log has the rest. */
const noticeLevel = 40;

function parseLine(line: string): LogEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<LogEntry> | null;
    return typeof entry?.level === 'number' && typeof entry.msg === 'string' ? (entry as LogEntry) : null;
  } catch {
    return null;
  }
}

function describe({ level, msg, time: _time, pid: _pid, hostname: _hostname, ...fields }: LogEntry): string {
  const word = level >= 50 ? 'error' : 'warn';
  return `${word}: ${msg} ${JSON.stringify(fields)}`;
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function untilSignal(): Promise<Ending> {
  return new Promise((resolve) => {
    let seen = false;
    const onSignal = (): void => {
      if (seen) process.exit(exitCode.internal);
      seen = true;
      say('stopping…');
      resolve({ kind: 'signal' });
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

/** All validators have committed {@link readyHeight}; asked until they have or the signal says that nobody waits any more. */
async function allReached(places: readonly TestnetPlace[], signal: AbortSignal): Promise<void> {
  const reached = async ({ rpcPort }: TestnetPlace): Promise<boolean> => {
    try {
      const response = await fetch(`http://127.0.0.1:${rpcPort}`, {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
      });
      const { result } = (await response.json()) as { result?: string };
      return Number(result ?? 0) >= readyHeight;
    } catch {
      return false;
    }
  };
  while (!signal.aborted && !(await Promise.all(places.map(reached))).every(Boolean))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function shutDown(validators: readonly RunningValidator[], cause: Ending): Promise<number> {
  for (const { child } of validators) if (child.exitCode === null) child.kill('SIGTERM');
  const killer = setTimeout(() => {
    for (const { child } of validators) child.kill('SIGKILL');
  }, stopTimeoutMs);
  await Promise.all(validators.map(({ ended }) => ended));
  clearTimeout(killer);
  if (cause.kind === 'signal') return exitCode.ok;
  throw new CliError(`${cause.name} ended with exit code ${cause.code}; its lines above say why`, {
    code: 'CLI_VALIDATOR_ENDED',
    name: cause.name,
    exitCode: cause.code,
  });
}
