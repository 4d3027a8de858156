import { join, resolve } from 'node:path';
import { placeOn, type TestnetPlace, validatorName } from '@prime/config';
import type { Command } from 'commander';
import { CliError, parseWholeNumber } from '../errors.ts';
import { moveKeyToSigner } from '../signer/signerHome.ts';
import { writeTestnet } from '../testnet/files.ts';
import { wantedPlaces } from '../testnet/ports.ts';
import { defaultNetworkFolder } from '../testnet/networkFile.ts';
import { validatorsInWords } from '../testnet/prepare.ts';
import { runTestnet, type UpOptions } from '../testnet/up.ts';
import { addChaosCommand } from './chaos.ts';
import { defaultExplorerPort } from './explorer.ts';

interface UpFlags {
  readonly validators?: string;
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
  readonly validators: string;
  readonly followers: string;
  readonly out: string;
  readonly basePort?: string;
  readonly hosts?: string;
  readonly seed?: string;
  readonly preset: string;
  readonly remoteSigner?: boolean;
}

const validatorCount = (text: string): number => parseWholeNumber(text, '--validators', 1, 100);

/** `prime testnet up | init | chaos`. */
export function addTestnetCommands(program: Command): void {
  const testnet = program.command('testnet').description('Networks for development and tests');
  testnet
    .command('up')
    .description('Run a whole network on this machine, in the foreground')
    .option('--validators <n>', 'number of validators of a new network (default: 4)')
    .option('--dir <dir>', 'where its data are kept between runs', defaultNetworkFolder)
    .option('--fresh', 'wipe the data first')
    .option('--logs', 'show every line that the nodes write')
    .option('--log-level <level>', 'what they write: error, warn, info, debug or trace')
    .option('--with-makers', 'with bots that quote and trade in every market, so that all of them are alive')
    .option('--explorer-port <port>', 'where the explorer is served', `${defaultExplorerPort}`)
    .option('--explorer-site <dir>', 'its pages (default: those that were built with this program)')
    .option('--no-explorer', 'serve no explorer')
    .action(async (flags: UpFlags) => {
      process.exitCode = await runTestnet(upOptions(flags));
      process.exit();
    });
  addChaosCommand(testnet);
  testnet
    .command('init')
    .description('Write the homes of a new network: DIR/validator0 …')
    .requiredOption('--validators <n>', 'number of validators')
    .requiredOption('--out <dir>', 'folder to write to')
    .option('--followers <n>', 'number of nodes that only follow: DIR/follower0 …', '0')
    .option('--base-port <port>', 'first port; each node takes ten from there (default: 8545…, 26656…, 9100…)')
    .option(
      '--hosts <names>',
      'names under which the validators dial each other, separated by commas; each listens on all addresses',
    )
    .option('--seed <seed>', 'the same seed gives the same validator keys')
    .option('--preset <preset>', 'local or testnet', 'local')
    .option('--remote-signer', "the validators' keys in remote signers: DIR/signer0 …")
    .action(async ({ validators, followers, out, basePort, hosts, seed, preset, remoteSigner }: InitFlags) => {
      if (preset !== 'local' && preset !== 'testnet')
        throw new CliError(`--preset must be local or testnet, got ${preset}`, {
          code: 'CLI_USAGE',
          argument: '--preset',
        });
      const base = basePort === undefined ? null : parseWholeNumber(basePort, '--base-port', 1, 64_000);
      const places =
        hosts === undefined
          ? wantedPlaces(validatorCount(validators), base)
          : placesOn(hosts, validatorCount(validators), base);
      const followerCount = parseWholeNumber(followers, '--followers', 0, 100);
      if (followerCount > 0 && hosts !== undefined)
        throw new CliError('--hosts names validators only: --followers needs --base-port or neither', {
          code: 'CLI_USAGE',
          argument: '--followers',
        });
      const followerPlaces = wantedPlaces(places.length + followerCount, base).slice(places.length);
      await writeTestnet({ directory: resolve(out), preset, places, followerPlaces, seed: seed ?? null });
      const also = followerCount === 0 ? '' : ` and ${followerCount} follower${followerCount === 1 ? '' : 's'}`;
      if (remoteSigner === true) await moveKeys(resolve(out), places.length, base);
      console.log(`wrote ${validatorsInWords(places.length)}${also} to ${resolve(out)}`);
    });
}

const logLevels = ['error', 'warn', 'info', 'debug', 'trace'];

function upOptions(flags: UpFlags): UpOptions {
  const { validators, dir, fresh, logs, logLevel, withMakers, explorer, explorerPort, explorerSite } = flags;
  if (logLevel !== undefined && !logLevels.includes(logLevel))
    throw new CliError(`--log-level must be one of ${logLevels.join(', ')}, got ${logLevel}`, {
      code: 'CLI_USAGE',
      argument: '--log-level',
    });
  return {
    directory: resolve(dir),
    validators: validators === undefined ? null : validatorCount(validators),
    fresh: fresh === true,
    follow: logs === true,
    logLevel: logLevel ?? null,
    withMakers: withMakers === true,
    explorerPort: explorer ? parseWholeNumber(explorerPort, '--explorer-port', 1, 65_535) : null,
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
    throw new CliError(`--hosts must name ${validators} hosts, got ${hosts}`, {
      code: 'CLI_USAGE',
      argument: '--hosts',
    });
  if (base !== null)
    throw new CliError('--hosts and --base-port exclude each other', { code: 'CLI_USAGE', argument: '--base-port' });
  return names.map(placeOn);
}
