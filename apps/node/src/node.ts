import { readFile, rm } from 'node:fs/promises';
import {
  loadConfig,
  type NodeConfig,
  homePaths,
  type HomePaths,
  parseGenesis,
  passwordVariables,
  type testSwitches,
} from '@prime/config';
import type { Genesis } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { isPrimeError } from '@prime/primitives';
import type { Logger } from '@prime/telemetry';
import { beginWithRoom, collectEarly, collectNothingAtRest, spareHelpers } from './v8/collector.ts';
import { compileLater } from './v8/compiler.ts';
import { type Databases, openDatabases } from './home/databases.ts';
import { NodeError } from './errors.ts';
import { orLate, withResolvers } from './promises.ts';
import { exitCode, exitCodeOf } from './exitCodes.ts';
import { holdHome } from './home/homeLock.ts';
import { noKeys, type UnlockedKeys, unlockHotKeys } from './keys/hotKeys.ts';
import { checkKeyFiles } from './keys/keyFiles.ts';
import type { PasswordSources } from './keys/passwords.ts';
import { threadLogger } from './logging.ts';
import { nodeProtocol } from './peers/nodeProtocol.ts';
import { checkOpenFilesLimit, isOutOfFiles } from './gateway/openFiles.ts';
import { isEmptyHome, finishRestore } from './restore/restorePlace.ts';
import { threadFaults } from './threads/threadFault.ts';
import { type PlannedFault, type Supervisor, type SupervisorOptions, superviseThreads } from './supervisor.ts';
import { type ThreadName, threadNames } from './threads/topology.ts';

/** What a node is started with; all else is in its home. */
export interface NodeOptions {
  readonly home: string;
  /** `section.key` to value: command line flags, which win over file and environment. */
  readonly flags: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the password of the hot key comes from, beside the environment. */
  readonly passwords: Pick<PasswordSources, 'file' | 'ask'>;
}

/** How long an orderly end may take, ms; then the process ends anyway. */
const stopTimeoutMs = 10_000;

/**
 * Runs a node until a signal or a failure.
 *
 * @returns the exit code
 * @throws ConfigError, NodeError `CONFIG_…`, StorageError `DATA_DIR_LOCKED`: nothing was started
 */
export async function runNode(options: NodeOptions): Promise<number> {
  compileLater();
  const home = homePaths(options.home);
  const { config, genesis, keys } = await readHome(home, options);
  const switches = {
    clockOffsetMs: numberSwitch(options, genesis, 'PRIME_CLOCK_OFFSET_MS', Number.MIN_SAFE_INTEGER) ?? 0,
    crashAt: numberSwitch(options, genesis, 'PRIME_CRASH_AT', 1),
    divergeAt: numberSwitch(options, genesis, 'PRIME_DIVERGE_AT', 1),
    threadFault: threadSwitch(options, genesis),
  };
  const logger = threadLogger({ config }, 'supervisor');
  checkOpenFilesLimit();
  // Before anybody can read the process id in the home: whoever does may ask it to stop at once.
  const stop = hearStopRequests(logger);
  const lock = await holdHome(home);
  // Not before: a process whose home is held by another has to end by itself.
  stop.followParent();
  try {
    finishRestore(home);
    return await runToEnd({ home, config, genesis, keys, ...switches, logger }, stop.asked);
  } finally {
    await rm(home.adminToken, { force: true });
    await lock.release();
  }
}

async function runToEnd(options: SupervisorOptions, stopAsked: Promise<void>): Promise<number> {
  const { logger } = options;
  const refusal = await syncEmptyHome(options, stopAsked);
  if (refusal !== null) return refusal;
  let databases: Databases;
  try {
    databases = await openDatabases(options.home, options.config);
  } catch (error) {
    return reportError(error, logger);
  }
  spareHelpers();
  collectEarly();
  beginWithRoom();
  collectNothingAtRest();
  const failed = withResolvers<unknown>();
  const supervisor = superviseThreads(options, failed.resolve);
  let ready = false;
  const starting = supervisor.start().then(
    (info) => {
      ready = true;
      if (info !== null) logger.info(info, 'ready');
      return null;
    },
    (error: unknown) => ({ error }),
  );
  const startError = starting.then((cause) => cause ?? new Promise<never>(() => undefined));
  const cause = await Promise.race([
    stopAsked.then(() => null),
    failed.promise.then((error) => ({ error })),
    startError,
  ]);
  if (cause !== null) {
    const code = reportError(cause.error, logger);
    // At an upgrade nothing is broken: what is under way is answered and closed.
    if (code === exitCode.upgrade && ready) {
      await stopInOrder(supervisor, databases);
      return code;
    }
    // The databases stay open: a thread that did not end in time may still read them.
    endByForce(await supervisor.halt());
    return code;
  }
  logger.info({}, 'stopping');
  const done = stopInOrder(supervisor, databases).then((inTime) => (inTime ? exitCode.ok : exitCode.internal));
  const code = await Promise.race([done, failed.promise.then((error) => reportError(error, logger))]);
  logger.info({ code }, 'stopped');
  return code;
}

/** @returns false when it took too long: threads were ended then */
async function stopInOrder(supervisor: Supervisor, databases: Databases): Promise<boolean> {
  const stopped = supervisor.stop().then(async (late) => {
    // A thread that did not end may still read.
    if (late.length === 0) await databases.close();
    else endByForce(late);
    return true;
  });
  const inTime = await orLate(stopped, stopTimeoutMs, () => false);
  if (!inTime) endByForce(await supervisor.halt());
  return inTime;
}

/** A gateway that is still there would abort the process at its exit, with a core instead of a code: its native sockets are open. */
function endByForce(late: readonly ThreadName[]): void {
  if (late.includes('gateway')) process.kill(process.pid, 'SIGKILL');
}

/** Gets the state of an empty home from peers, where the configuration says so. @returns the exit code when the node ends with it */
async function syncEmptyHome(options: SupervisorOptions, stopAsked: Promise<void>): Promise<number | null> {
  const { config, home, logger } = options;
  if (config.sync.trustedHeight === 0 || !isEmptyHome(home)) return null;
  const stop = new AbortController();
  const stopped = stopAsked.then(() => stop.abort());
  try {
    // Once in the life of a home, and it needs most of a node in this thread.
    const { syncState } = await import('./restore/stateSync.ts');
    await syncState(options, stop.signal);
  } catch (error) {
    return reportError(error, logger);
  }
  if (!stop.signal.aborted) return null;
  await stopped;
  return exitCode.ok;
}

/** A dead part takes the process down: no orderly end, the disk is in order at every moment. */
export function reportError(error: unknown, logger: Logger): number {
  const own = isPrimeError(error) ? error.code : ((error as { code?: string } | null)?.code ?? 'INTERNAL');
  // A database says no more than that it could not write: the disk is not to blame.
  const code = isOutOfFiles(error) ? 'EMFILE' : own;
  const exit = exitCodeOf(code);
  const message = error instanceof Error ? error.message : String(error);
  const hint = code === 'EMFILE' ? ' (no more files may be open: raise the limit, ulimit -n)' : '';
  logger.error({ code, exit, cause: (error as Error).cause ?? (error as Error).stack }, `fatal: ${message}${hint}`);
  return exit;
}

/** What asks a process to stop. */
export interface StopRequests {
  readonly asked: Promise<void>;
  /** Has the end of a parent that holds a channel to this process ask too. From here on the channel keeps this process alive. */
  followParent(): void;
}

/** Hears SIGINT and SIGTERM. A second SIGINT ends the process at once. */
export function hearStopRequests(logger: Logger): StopRequests {
  const { promise, resolve } = withResolvers<void>();
  let isAsked = false;
  const stop = (reason: string) => (): void => {
    if (isAsked && reason === 'SIGINT') process.exit(exitCode.internal);
    isAsked = true;
    logger.info({ reason }, 'asked to stop');
    resolve();
  };
  process.on('SIGINT', stop('SIGINT'));
  process.on('SIGTERM', stop('SIGTERM'));
  return {
    asked: promise,
    followParent() {
      process.once('disconnect', stop('parent gone'));
      // It may have gone while this process was loading.
      if (process.send !== undefined && !process.connected) stop('parent gone')();
    },
  };
}

async function readHome(
  home: HomePaths,
  { flags, environment, passwords }: NodeOptions,
): Promise<{ readonly config: NodeConfig; readonly genesis: Genesis; readonly keys: UnlockedKeys }> {
  const text = await readHomeFile(home.config);
  const { config } = loadConfig({ file: { name: home.config, text }, environment, flags });
  const genesis = parseGenesis(await readHomeFile(home.genesis));
  // Refused here, before anything is started.
  checkKeyFiles(home, config);
  nodeProtocol({ config, genesis });
  const keys =
    config.signer.address === null
      ? await unlockHotKeys(home, await cryptoProvider(), { environment, ...passwords })
      : noKeys;
  // Nothing that this process starts needs them.
  for (const variable of passwordVariables) delete process.env[variable];
  return { config, genesis, keys };
}

/** A file of a home as text. @throws NodeError `CONFIG_HOME_UNREADABLE` */
export async function readHomeFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NodeError(
      `can not read ${path}: is the folder a node's home?`,
      { code: 'CONFIG_HOME_UNREADABLE', path },
      { cause },
    );
  }
}

type TestSwitch = (typeof testSwitches)[number];

/** A whole number that tests set in the environment; null when it is not set. */
function numberSwitch(
  { environment }: NodeOptions,
  genesis: Genesis,
  variable: TestSwitch,
  minimum: number,
): number | null {
  const text = environment[variable];
  if (text === undefined) return null;
  const value = Number(text);
  if (genesis.testNetwork && Number.isSafeInteger(value) && value >= minimum) return value;
  throw refusedSwitch(variable, `a whole number from ${minimum}`, text);
}

/** `thread:how`; null when it is not set. */
function threadSwitch({ environment }: NodeOptions, genesis: Genesis): PlannedFault | null {
  const variable: TestSwitch = 'PRIME_THREAD_FAULT';
  const text = environment[variable];
  if (text === undefined) return null;
  const [name, wanted] = text.split(':');
  const thread = threadNames.find((each) => each === name);
  const how = threadFaults.find((each) => each === wanted);
  if (genesis.testNetwork && thread !== undefined && how !== undefined) return { thread, how };
  throw refusedSwitch(variable, `THREAD:HOW of ${threadNames.join(', ')} and ${threadFaults.join(', ')}`, text);
}

function refusedSwitch(variable: TestSwitch, allowed: string, found: string): NodeError {
  return new NodeError(`${variable} is ${allowed} and works on test networks only, got ${found}`, {
    code: 'CONFIG_TEST_SWITCH_REFUSED',
    variable,
  });
}
