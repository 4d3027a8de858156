import { exitCode } from '@prime/node';
import { CliError } from '../errors.ts';
import { type NodeClient, nodeClient } from '../rpc.ts';
import { builtSite, isSite } from '../explorer/sitePlace.ts';
import { balancesOf, bannerLines } from './banner.ts';
import { startExplorer } from './explorer.ts';
import { type NetworkFile, shownPath } from './networkFile.ts';
import { startMakers } from './makers.ts';
import { prepareNetwork, validatorsInWords } from './prepare.ts';
import { type Ending, type RunningValidator, startValidator } from './validatorProcess.ts';
import { demoCommand, folderOption, primeCommand, upCommand } from './wayToType.ts';

export interface UpOptions {
  readonly directory: string;
  /** Number of validators that is asked for; null takes the network that is there, or makes one of four. */
  readonly validators: number | null;
  readonly fresh: boolean;
  /** Shows every line of every node. */
  readonly follow: boolean;
  /** What the nodes write; null is as they are configured. */
  readonly logLevel: string | null;
  /** Bots quote and trade in every market. */
  readonly withMakers: boolean;
  /** Where the explorer would listen if nothing were in the way; null serves none. */
  readonly explorerPort: number | null;
  /** Folder of its pages; null takes those that were built. */
  readonly explorerSite: string | null;
}

/** Ready is: every validator has committed this block. */
const readyHeight = 3;
/** How long a validator may take to end after SIGTERM before it is killed, ms. */
const stopTimeoutMs = 12_000;

const say = (line: string): void => console.log(line);

/** Runs a whole network in the foreground until SIGINT or SIGTERM. @returns the exit code */
export async function runTestnet(options: UpOptions): Promise<number> {
  const begun = performance.now();
  const isShown = options.explorerPort !== null && hasPages(options.explorerSite);
  const explorerPort = isShown ? options.explorerPort : null;
  const { network, lock } = await prepareNetwork({ ...options, explorerPort, say });
  const { explorerUrl } = network;
  try {
    const validators = network.validators.map(({ name, home, log }) =>
      startValidator({ name, home, log, logLevel: options.logLevel, follow: options.follow, explorerUrl, say }),
    );
    const stop = untilSignal();
    const ended = Promise.race(validators.map(({ ended: end }) => end));
    await Promise.race([stop, ended, Promise.all(validators.map(({ ready }) => ready))]);
    const polling = new AbortController();
    await Promise.race([stop, ended, allReached(network, polling.signal)]);
    polling.abort();
    const isUp = validators.every(({ child }) => child.exitCode === null);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const explorer =
      isUp && explorerUrl !== null
        ? startExplorer({ ...options, network, url: explorerUrl, site: options.explorerSite, say })
        : null;
    if (isUp) {
      const isServed = explorer !== null && (await Promise.race([explorer.ready, stop, ended])) !== null;
      await showBanner(options.directory, network, { seconds, explorerUrl: isServed ? explorerUrl : null });
    }
    const makers = options.withMakers ? startMakers(options.directory, say) : null;
    void makers?.ready.then((line) => {
      if (line !== null) say('  bots quote and trade in every market');
    });
    const cause = await Promise.race([stop, ended]);
    await Promise.all([makers?.stop(), explorer?.stop()]);
    return await shutDown(options.directory, validators, cause);
  } finally {
    lock.release();
  }
}

/** Whether there is something to serve. @throws CliError `CLI_NOT_FOUND` for a named folder without pages */
function hasPages(site: string | null): boolean {
  if (isSite(site ?? builtSite)) return true;
  if (site !== null) throw new CliError(`${site} has no pages of an explorer`, { code: 'CLI_NOT_FOUND', what: site });
  say('the pages of the explorer are not built, so nobody serves them');
  return false;
}

async function showBanner(
  directory: string,
  network: NetworkFile,
  { seconds, explorerUrl }: { readonly seconds: string; readonly explorerUrl: string | null },
): Promise<void> {
  const count = network.validators.length;
  const folder = folderOption(directory);
  const lines = bannerLines({
    network,
    // A node that ends just now is told by its end.
    balances: await balancesOf(network).catch(() => []),
    explorerUrl,
    reached:
      count === 1
        ? `1 validator, block ${readyHeight} committed after ${seconds} s`
        : `${validatorsInWords(count)} agree, block ${readyHeight} committed by all after ${seconds} s`,
    folder: shownPath(directory),
    commands: {
      demo: demoCommand(directory),
      prime: primeCommand(),
      status: `${primeCommand()} node status --home ${shownPath(network.validators[0]!.home)}`,
      follow: upCommand(...folder, '--logs'),
      fresh: upCommand(...folder, '--fresh'),
    },
  });
  for (const line of lines) say(line);
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
async function allReached({ rpcUrls }: NetworkFile, signal: AbortSignal): Promise<void> {
  const clients = rpcUrls.map((url) => nodeClient({ url, apiKey: null }, { signal }));
  const reached = (client: NodeClient): Promise<boolean> =>
    client.getBlockNumber({ cacheTime: 0 }).then(
      (height) => height >= readyHeight,
      () => false,
    );
  while (!signal.aborted && !(await Promise.all(clients.map(reached))).every(Boolean))
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function shutDown(directory: string, validators: readonly RunningValidator[], cause: Ending): Promise<number> {
  for (const { child } of validators) if (child.exitCode === null) child.kill('SIGTERM');
  const killer = setTimeout(() => {
    for (const { child } of validators) child.kill('SIGKILL');
  }, stopTimeoutMs);
  await Promise.all(validators.map(({ ended }) => ended));
  clearTimeout(killer);
  if (cause.kind === 'signal') {
    say(`stopped; the data are kept in ${shownPath(directory)}`);
    return exitCode.ok;
  }
  const how = cause.code === null ? 'by a signal' : `with exit code ${cause.code}`;
  throw new CliError(`${cause.name} ended ${how}, so the network was stopped; why is in ${shownPath(cause.log)}`, {
    code: 'CLI_VALIDATOR_ENDED',
    name: cause.name,
    exitCode: cause.code,
  });
}
