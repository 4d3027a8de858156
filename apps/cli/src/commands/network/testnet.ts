import { join, resolve } from 'node:path';
import { placeOn, presetNames, type TestnetPlace, validatorName } from '@prime/config';
import type { Command } from 'commander';
import { parseChoice, parseWholeNumber, usageError } from '../../errors.ts';
import { moveKeyToSigner } from '../../signer/signerHome.ts';
import { writeTestnet } from '../../testnet/files.ts';
import { wantedPlaces } from '../../testnet/ports.ts';
import { exportTargets } from '../../testnet/export/render.ts';
import { keepManifest, readManifest } from '../../testnet/manifest/given.ts';
import { placeHere, planNetwork } from '../../testnet/manifest/plan.ts';
import { explorerPort, lastPort } from '../../testnet/manifest/places.ts';
import { manifestFileSchema, priceOrigins } from '../../testnet/manifest/schema.ts';
import { writePlannedNetwork } from '../../testnet/plannedHomes.ts';
import { defaultNetworkFolder } from '../../testnet/networkFile.ts';
import { counted } from '../../terminal/output.ts';
import { logLevels } from '../../testnet/processes/nodeLog.ts';
import { runTestnet, type UpOptions } from '../../testnet/up.ts';
import { addChaosCommand } from './chaos.ts';

interface UpFlags {
  readonly validators?: string;
  readonly manifest?: string;
  readonly dir: string;
  readonly fresh?: boolean;
  readonly logs?: boolean;
  readonly logLevel?: string;
  readonly withMakers?: boolean;
  readonly explorerPort: string;
  readonly explorerSite?: string;
  /** False with `--no-explorer`. */
  readonly explorer: boolean;
}

interface InitFlags {
  readonly validators?: string;
  readonly manifest?: string;
  readonly followers: string;
  readonly out: string;
  readonly basePort?: string;
  readonly hosts?: string;
  readonly seed?: string;
  readonly preset: string;
  readonly prices: string;
  readonly remoteSigner?: boolean;
}

const validatorCount = (text: string): number => parseWholeNumber(text, '--validators', 1, 100);

/** `prime testnet up | init | export | chaos`. */
export function addTestnetCommands(program: Command): void {
  const testnet = program.command('testnet').description('Networks for development and tests');
  testnet
    .command('up')
    .description('Run a whole network on this machine, in the foreground')
    .option('--validators <n>', 'number of validators of a new network (default: 4)')
    .option('--manifest <file>', 'what the network is: a manifest, TOML (docs/testnet.md)')
    .option('--dir <dir>', 'where its data are kept between runs', defaultNetworkFolder)
    .option('--fresh', 'wipe the data first')
    .option('--logs', 'show every line that the nodes write')
    .option('--log-level <level>', 'what they write: error, warn, info, debug or trace')
    .option('--with-makers', 'with bots that quote and trade in every market, so that all of them are alive')
    .option('--explorer-port <port>', 'where the explorer is served', `${explorerPort}`)
    .option('--explorer-site <dir>', 'its pages (default: those that were built with this program)')
    .option('--no-explorer', 'serve no explorer')
    .action(async (flags: UpFlags) => {
      process.exitCode = await runTestnet(await upOptions(flags));
      process.exit();
    });
  addChaosCommand(testnet);
  testnet
    .command('init')
    .description('Write the homes of a new network: DIR/validator0 …')
    .option('--validators <n>', 'number of validators')
    .option('--manifest <file>', 'what the network is: a manifest, TOML (docs/testnet.md), in place of all but --out')
    .requiredOption('--out <dir>', 'folder to write to')
    .option('--followers <n>', 'number of nodes that only follow: DIR/follower0 …', '0')
    .option('--base-port <port>', 'first port; each node takes ten from there (default: 8545…, 26656…, 9100…)')
    .option(
      '--hosts <names>',
      'names under which the validators dial each other, separated by commas; each listens on all addresses',
    )
    .option('--seed <seed>', 'the same seed gives the same validator keys')
    .option('--preset <preset>', 'local or testnet', 'local')
    .option('--prices <origin>', 'simulated, for a feeder with feeder.toml; or none: no oracle', 'simulated')
    .option('--remote-signer', "the validators' keys in remote signers: DIR/signer0 …")
    .action(init);
  testnet
    .command('export')
    .description('Write a network out for other machines: homes, keys, and what runs them')
    .requiredOption('--manifest <file>', 'what the network is: a manifest, TOML (docs/testnet.md)')
    .requiredOption('--to <target>', exportTargets.join(', '))
    .argument('<dir>', 'folder to write to, empty or missing')
    .action(async (dir: string, { manifest: path, to }: { readonly manifest: string; readonly to: string }) => {
      const target = parseChoice(to, '--to', exportTargets);
      const { manifest } = await readManifest(path);
      const { exportNetwork } = await import('../../testnet/export/export.ts');
      for (const words of await exportNetwork(manifest, target, resolve(dir))) console.log(`left out: ${words}`);
      console.log(`wrote the network to ${resolve(dir)}; ${join(dir, 'README.md')} says how to start it`);
    });
  testnet
    .command('schema')
    .description('Print the JSON Schema of manifests of networks')
    .action(() => console.log(JSON.stringify(manifestFileSchema, null, 2)));
}

async function init(flags: InitFlags): Promise<void> {
  const { validators, manifest, followers, out, basePort, hosts, seed, remoteSigner } = flags;
  if ((validators === undefined) === (manifest === undefined))
    throw usageError('give either --validators or --manifest', '--validators');
  if (manifest !== undefined) return initFrom(manifest, resolve(out));
  const preset = parseChoice(flags.preset, '--preset', presetNames);
  const prices = parseChoice(flags.prices, '--prices', priceOrigins);
  const base = basePort === undefined ? null : parseWholeNumber(basePort, '--base-port', 1, 64_000);
  const count = validatorCount(validators!);
  const places = hosts === undefined ? wantedPlaces(count, base) : placesOn(hosts, count, base);
  const followerCount = parseWholeNumber(followers, '--followers', 0, 100);
  if (followerCount > 0 && hosts !== undefined)
    throw usageError('--hosts names validators only: --followers needs --base-port or neither', '--followers');
  const followerPlaces = wantedPlaces(places.length + followerCount, base).slice(places.length);
  const genesis = prices === 'none' ? { oracle: false } : {};
  await writeTestnet({ directory: resolve(out), preset, places, followerPlaces, seed: seed ?? null, genesis });
  const also = followerCount === 0 ? '' : ` and ${counted(followerCount, 'follower')}`;
  if (remoteSigner === true) await moveKeys(resolve(out), places.length, base);
  console.log(`wrote ${counted(places.length, 'validator')}${also} to ${resolve(out)}`);
}

/** Homes as `prime testnet up --manifest` makes them, for whoever starts the processes by hand. */
async function initFrom(path: string, directory: string): Promise<void> {
  const given = await readManifest(path);
  const plan = planNetwork(given.manifest);
  await writePlannedNetwork(directory, plan, plan.nodes.map(placeHere));
  keepManifest(directory, given);
  console.log(`wrote ${[...plan.nodes, ...plan.signers].map(({ name }) => name).join(', ')} to ${directory}`);
}

async function upOptions(flags: UpFlags): Promise<UpOptions> {
  const { validators, manifest, dir, fresh, logs, logLevel, withMakers, explorer, explorerSite } = flags;
  if (manifest !== undefined && validators !== undefined)
    throw usageError('--validators and --manifest exclude each other', '--validators');
  return {
    directory: resolve(dir),
    manifest: manifest === undefined ? null : await readManifest(manifest),
    validators: validators === undefined ? null : validatorCount(validators),
    fresh: fresh === true,
    follow: logs === true,
    logLevel: logLevel === undefined ? null : parseChoice(logLevel, '--log-level', logLevels),
    withMakers: withMakers === true,
    explorerPort: explorer ? parseWholeNumber(flags.explorerPort, '--explorer-port', 1, lastPort) : null,
    explorerSite: explorerSite === undefined ? null : resolve(explorerSite),
  };
}

/** Behind the ports that a validator takes for itself, or 26670… where it has the default ones. */
const signerPortOffset = 5;
const firstSignerPort = 26_670;

/** Each validator's key into a signer of its own, on the same machine. */
async function moveKeys(directory: string, validators: number, base: number | null): Promise<void> {
  for (let index = 0; index < validators; index++) {
    const port = base === null ? firstSignerPort + index : base + 10 * index + signerPortOffset;
    const signer = { home: join(directory, `signer${index}`), listen: `127.0.0.1:${port}` };
    await moveKeyToSigner(signer, join(directory, validatorName(index)));
  }
}

/** One machine or container per validator, each with the default ports. */
function placesOn(hosts: string, validators: number, base: number | null): TestnetPlace[] {
  const names = hosts.split(',');
  if (names.length !== validators || names.includes(''))
    throw usageError(`--hosts must name ${validators} hosts, got ${hosts}`, '--hosts');
  if (base !== null) throw usageError('--hosts and --base-port exclude each other', '--base-port');
  return names.map(placeOn);
}
