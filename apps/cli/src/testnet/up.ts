import { exitCode } from '@prime/node';
import { Guard } from '@prime/chaos/plain';
import { CliError, notFound } from '../errors.ts';
import { type NodeClient, nodeClient } from '../node/rpc.ts';
import { builtSite, isSite } from '../explorer/sitePlace.ts';
import { counted } from '../terminal/output.ts';
import { balancesOf, bannerLines } from './banner.ts';
import type { RunningBeside } from './processes/beside.ts';
import { startExplorer } from './processes/explorer.ts';
import { startFeeder } from './processes/feeder.ts';
import { startLoad } from './processes/load.ts';
import { type Ending, LocalNode } from './processes/localNode.ts';
import { startMakers } from './processes/makers.ts';
import { sizeOfPlan } from './manifest/plan.ts';
import { type NetworkFile, nodesOfFile, publicNodes, shownPath } from './networkFile.ts';
import { type PreparedNetwork, type PrepareOptions, prepareNetwork } from './prepare.ts';
import { startPrometheus } from './processes/prometheus.ts';
import { runFaults } from './schedule.ts';
import { startSigner } from './processes/signer.ts';
import { demoCommand, folderOption, primeCommand, upCommand } from './wayToType.ts';

/** What `prime testnet up` runs, and how much of it is shown. */
export interface UpOptions extends Omit<PrepareOptions, 'say'> {
  /** Shows every line of every node. */
  readonly follow: boolean;
  /** What the nodes write; null is as they are configured. */
  readonly logLevel: string | null;
  /** Bots quote and trade in every market. */
  readonly withMakers: boolean;
  /** Folder of the explorer's pages; null takes those that were built. */
  readonly explorerSite: string | null;
}

/** Ready is: every validator has committed this block. */
const readyHeight = 3;

const say = (line: string): void => console.log(line);

/** Runs a whole network in the foreground until SIGINT or SIGTERM. @returns the exit code */
export async function runTestnet(options: UpOptions): Promise<number> {
  const begun = performance.now();
  const isShown = options.explorerPort !== null && hasPages(options.explorerSite);
  const explorerPort = isShown ? options.explorerPort : null;
  const prepared = await prepareNetwork({ ...options, explorerPort, say });
  const { network, plan, mesh, lock } = prepared;
  const guard = new Guard();
  const { logLevel, follow } = options;
  const { explorerUrl } = network;
  const signers = network.signers.map((signer) => startSigner(signer, say));
  // It waits for the nodes by itself, and so does nobody for it.
  const feeder = startFeeder({ directory: options.directory, network, say });
  const nodes = nodesOfFile(network).map(
    ({ name, home, log }) => new LocalNode({ name, home, log: log!, logLevel, follow, explorerUrl, guard, say }),
  );
  try {
    const stop = untilSignal();
    const failed = Promise.race(nodes.map((node) => node.failed));
    await Promise.race([stop, failed, Promise.all(nodes.map((node) => node.start()))]);
    const polling = new AbortController();
    await Promise.race([stop, failed, allReady(network, polling.signal)]);
    polling.abort();
    const isUp = nodes.every(({ running }) => running);
    const ending = Promise.race([stop, failed]);
    const besides = isUp ? await startBesides(options, prepared, { begun, ending, guard }) : [];
    const faulty = { nodes, mesh, size: sizeOfPlan(plan) };
    const healing = new AbortController();
    const faults = isUp ? runFaults(plan.faults, faulty, healing.signal, say) : Promise.resolve();
    const cause = await ending;
    healing.abort();
    await Promise.all([...besides, ...(feeder === null ? [] : [feeder])].map((beside) => beside.stop()));
    await Promise.all([faults, ...nodes.map((node) => node.close())]);
    return outcomeOf(options.directory, cause);
  } finally {
    await Promise.all([
      ...nodes.map((node) => node.close()),
      ...signers.map((signer) => signer.stop()),
      feeder?.stop(),
    ]);
    await mesh.close();
    guard.close();
    lock.release();
  }
}

/** Everything that is not a node: explorer, bots, Prometheus, load. */
async function startBesides(
  { directory, withMakers, explorerSite: site }: UpOptions,
  { network, plan }: PreparedNetwork,
  { begun, ending, guard }: { readonly begun: number; readonly ending: Promise<Ending>; readonly guard: Guard },
): Promise<RunningBeside[]> {
  const { explorerUrl, dashboards } = network;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const explorer = explorerUrl === null ? null : startExplorer({ directory, network, url: explorerUrl, site, say });
  const isServed = explorer !== null && typeof (await Promise.race([explorer.ready, ending])) === 'string';
  await showBanner(directory, network, { seconds, explorerUrl: isServed ? explorerUrl : null });
  const prometheus =
    dashboards.prometheus === null
      ? null
      : startPrometheus({ directory, network, url: dashboards.prometheus, guard, say });
  const { makers: planned, load } = plan.besides;
  const makers = withMakers || planned !== null ? startMakers(directory, planned?.markets ?? null, say) : null;
  void makers?.ready.then((line) => {
    if (line !== null) say(`  bots quote and trade in ${planned?.markets?.join(', ') ?? 'every market'}`);
  });
  const loading = load === null ? null : startLoad({ directory, load, network, guard, say });
  return [explorer, prometheus, makers, loading].filter((beside) => beside !== null);
}

/** Whether there is something to serve. @throws CliError `CLI_NOT_FOUND` for a named folder without pages */
function hasPages(site: string | null): boolean {
  if (isSite(site ?? builtSite)) return true;
  if (site !== null) throw notFound(`${site} has no pages of an explorer`, site);
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
        : `${counted(count, 'validator')} agree, block ${readyHeight} committed by all after ${seconds} s`,
    folder: shownPath(directory),
    commands: {
      demo: demoCommand(directory),
      prime: primeCommand(),
      status: `${primeCommand()} node status --home ${shownPath(publicNodes(network)[0]!.home)}`,
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

/** A network whose markets wait for prices is ready without them after so long: its feeder may be somebody else's. */
const pricesMs = 15_000;

/** All nodes have {@link readyHeight}, and take orders; asked until they do or the signal says that nobody waits any more. */
async function allReady(network: NetworkFile, signal: AbortSignal): Promise<void> {
  const clients = nodesOfFile(network).map(({ rpc: url }) => nodeClient({ url, apiKey: null }, { signal }));
  const all = async (ask: (client: NodeClient) => Promise<boolean>, untilMs = Number.POSITIVE_INFINITY) => {
    const is = (client: NodeClient): Promise<boolean> => ask(client).catch(() => false);
    while (!signal.aborted && performance.now() < untilMs) {
      if ((await Promise.all(clients.map(is))).every(Boolean)) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  };
  await all(async (client) => (await client.getBlockNumber({ cacheTime: 0 })) >= readyHeight);
  if (!network.markets.some(({ hasOracle }) => hasOracle)) return;
  const hasPrices = async (client: NodeClient): Promise<boolean> =>
    (await client.getMarkets()).every(({ oracle }) => oracle === undefined || oracle.staleSinceMs === null);
  const isPriced = await all(hasPrices, performance.now() + pricesMs);
  if (!isPriced && !signal.aborted) say('nobody reports prices yet: markets take only orders that reduce positions');
}

/** @throws CliError `CLI_VALIDATOR_ENDED` */
function outcomeOf(directory: string, cause: Ending): number {
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
