import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type Asked,
  builtInNames,
  builtInText,
  type Funder,
  parseScenario,
  rateStages,
  type StagedNode,
  type Scenario,
  stagesSeconds,
  usualWorkers,
  withSize,
} from '@prime/load';
import { homePaths } from '@prime/config';
import { keccak256 } from '@prime/crypto';
import { hexToBytes } from '@prime/primitives';
import { parseDuration } from '../terminal/duration.ts';
import { parseWholeNumber, usageError } from '../errors.ts';
import { readGiven } from '../files.ts';
import { urlsIn } from '../node/rpc.ts';
import { defaultNetworkFolder, networkHere, publicNodes, readNetworkFile } from '../testnet/networkFile.ts';

/** What `prime load run` and `prime load plan` are given alike. */
export interface ScenarioFlags {
  readonly rpc?: string;
  readonly admin?: string;
  readonly rate?: string;
  readonly clients?: string;
  readonly search?: boolean;
  readonly duration?: string;
  readonly size?: string;
  readonly seed: string;
  readonly workers?: string;
  readonly funderKeyFile?: string;
  readonly faucet?: boolean;
}

/** A scenario with the text that it came from, so that a report holds what was run. */
export interface GivenScenario {
  readonly scenario: Scenario;
  readonly toml: string;
  readonly size: number | null;
}

/** A built-in scenario by its name, or a file. @throws CliError, LoadError `LOAD_SCENARIO_…` */
export async function readScenario(named: string, { size: sizeText }: ScenarioFlags): Promise<GivenScenario> {
  const isFile = named.endsWith('.toml') || (existsSync(named) && !builtInNames().includes(named));
  const toml = isFile ? await readGiven(named, 'scenario') : builtInText(named);
  const read = parseScenario(toml, isFile ? named : `${named}.toml`);
  const size = sizeText === undefined ? null : parseWholeNumber(sizeText, '--size', 1, 1_000_000);
  return { scenario: size === null ? read : withSize(read, size), toml, size };
}

/** Where a load runs against: JSON-RPC of each node, and admin endpoints where they are known. */
export interface Nodes {
  readonly urls: readonly string[];
  readonly adminUrls: readonly string[];
}

/** Nodes that are named, or the network of `prime testnet up` that runs from this folder. */
export function nodesOf({ rpc, admin }: ScenarioFlags): Nodes {
  const adminUrls = admin?.split(',').map((url) => url.trim());
  if (rpc !== undefined) return { urls: urlsIn(rpc), adminUrls: adminUrls ?? [] };
  const nodes = publicNodes(networkHere());
  return {
    urls: nodes.map(({ rpc: url }) => url),
    adminUrls: adminUrls ?? nodes.map(({ admin: url }) => url),
  };
}

/** Nodes whose stamps of stages are read: of a network in a folder here they are switched on for the run, of others they have to be on. */
export function stageNodesOf(flags: ScenarioFlags): readonly StagedNode[] {
  const network = flags.rpc === undefined ? readNetworkFile(defaultNetworkFolder) : null;
  return nodesOf(flags).adminUrls.map((adminUrl, index) => {
    const node = network === null ? undefined : publicNodes(network)[index];
    const home = node?.home;
    return {
      name: node?.name ?? `validator${index}`,
      adminUrl,
      token: home === undefined ? null : () => readFile(homePaths(home).adminToken, 'utf8').then((text) => text.trim()),
    };
  });
}

/** Rate, clients or search, as the flags say; else the stages of the scenario. */
export function askedOf(scenario: Scenario, flags: ScenarioFlags & SearchFlags): Asked {
  const { rate, clients, search = false, duration } = flags;
  if ([rate !== undefined, clients !== undefined, search].filter(Boolean).length > 1)
    throw usageError('give one of --rate, --clients and --search', '--rate');
  const seconds = duration === undefined ? null : parseDuration(duration, '--duration');
  if (search)
    return {
      kind: 'search',
      bounds: {
        from: parseNumber(flags.from ?? '50', '--from'),
        to: parseNumber(flags.to ?? '100000', '--to'),
        closeness: 1.1,
        trialsMax: 40,
        spoiledMax: 8,
      },
      holds: {
        p99Ms: parseNumber(flags.p99 ?? '1000', '--p99'),
        errorShare: parseNumber(flags.errors ?? '1', '--errors') / 100,
      },
      seconds: seconds ?? usualTrialSeconds,
    };
  if (clients !== undefined)
    return {
      kind: 'closed',
      clients: parseWholeNumber(clients, '--clients', 1, 1_000_000),
      thinkMs: scenario.think.mean_ms,
      spread: scenario.think.spread,
      seconds: seconds ?? stagesSeconds(scenario),
    };
  if (rate !== undefined) {
    const constant = parseNumber(rate, '--rate');
    const stage = { name: 'hold', fromRate: constant, toRate: constant, seconds: seconds ?? stagesSeconds(scenario) };
    return { kind: 'open', arrivals: scenario.arrivals, stages: [stage] };
  }
  // A shorter or longer run keeps the form of its stages.
  const factor = seconds === null ? 1 : seconds / stagesSeconds(scenario);
  const stages = rateStages(scenario.stages).map((stage) => ({ ...stage, seconds: stage.seconds * factor }));
  return { kind: 'open', arrivals: scenario.arrivals, stages };
}

/** Flags of a search for the highest rate, as they were typed. */
export interface SearchFlags {
  readonly p99?: string;
  readonly errors?: string;
  readonly from?: string;
  readonly to?: string;
}

const usualTrialSeconds = 10;

/** Reads a positive decimal number of at most 10 million. @throws CliError `CLI_USAGE` */
export function parseNumber(text: string, argument: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 1e7) return value;
  throw usageError(`${argument} must be a number above 0, at most 10000000, got ${text}`, argument);
}

/** Worker threads of a load: as many as are asked for, 1 to 64, or what suits the machine. @throws CliError `CLI_USAGE` */
export const workersOf = ({ workers }: ScenarioFlags): number =>
  workers === undefined ? usualWorkers() : parseWholeNumber(workers, '--workers', 1, 64);

/** Seed of a load, 32 bits: the same one gives the same items. @throws CliError `CLI_USAGE` */
export const seedOf = ({ seed }: ScenarioFlags): number => parseWholeNumber(seed, '--seed', 0, 0xffffffff);

/** Who pays; a key also makes the accounts of the run ones that nobody else can guess. */
export async function funderOf({
  funderKeyFile,
  faucet = false,
}: Pick<ScenarioFlags, 'funderKeyFile' | 'faucet'>): Promise<{
  readonly funder: Funder;
  readonly secret: Uint8Array | null;
}> {
  if (faucet && funderKeyFile !== undefined) throw usageError('give one of --faucet and --funder-key-file', '--faucet');
  if (faucet) return { funder: { kind: 'faucet' }, secret: null };
  const text =
    funderKeyFile === undefined
      ? process.env['PRIME_LOAD_FUNDER_KEY']
      : await readGiven(funderKeyFile, '--funder-key-file');
  if (text === undefined) return { funder: { kind: 'unlocked' }, secret: null };
  const hex = text.trim();
  // What it says stays out of the error.
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex))
    throw usageError(
      'the key that pays must be 0x and 64 hex digits',
      funderKeyFile === undefined ? 'PRIME_LOAD_FUNDER_KEY' : '--funder-key-file',
    );
  const privateKey = hexToBytes(hex, 32);
  return { funder: { kind: 'key', privateKey }, secret: keccak256(privateKey) };
}

/** @throws CliError `CLI_USAGE` */
export function parsePlace(text: string, argument: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw usageError(`${argument} must be host:port, got ${text}`, argument);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
