import { homePaths, loadConfig } from '@prime/config';
import { runNode } from '@prime/node';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { CliError } from '../errors.ts';

interface StartOptions {
  readonly home: string;
  readonly role?: string;
  readonly logFormat?: string;
  readonly logLevel?: string;
}

interface StatusOptions {
  readonly home?: string;
  readonly json?: boolean;
}

/** `prime node start | status`. */
export function addNodeCommands(program: Command): void {
  const node = program.command('node').description('One node: start it, ask it how it is');
  node
    .command('start')
    .description('Run a node in the foreground until SIGINT or SIGTERM')
    .requiredOption('--home <dir>', 'home folder of the node')
    .option('--role <role>', 'validator, full or archive')
    .option('--log-format <format>', 'json or pretty')
    .option('--log-level <level>', 'error, warn, info, debug or trace')
    .action(async (options: StartOptions) => {
      const flags = Object.fromEntries(
        Object.entries({
          'node.role': options.role,
          'log.format': options.logFormat,
          'log.level': options.logLevel,
        }).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      // After a failure threads may still be alive that nobody waits for.
      process.exit(await runNode({ home: options.home, flags, environment: process.env }));
    });
  node
    .command('status')
    .description('Height, peers and sync state of a running node, from its admin endpoint')
    .requiredOption('--home <dir>', 'home folder of the node')
    .option('--json', 'the whole answer as JSON')
    .action(async (options: StatusOptions) => showStatus(options));
}

interface Status {
  readonly head: number;
  readonly height: number;
  readonly round: number;
  readonly syncing: unknown;
  readonly active: boolean;
  readonly peers: readonly { readonly address: string; readonly role: string }[];
  readonly self: string | null;
}

async function showStatus(options: StatusOptions): Promise<void> {
  const paths = homePaths(options.home ?? '.');
  const text = await readFile(paths.config, 'utf8');
  const { config } = loadConfig({ file: { name: paths.config, text }, environment: process.env });
  const { listen } = config.admin;
  if (listen === null)
    throw new CliError('this node has no admin endpoint: set admin.listen', {
      code: 'CLI_USAGE',
      argument: 'admin.listen',
    });
  const url = `http://${listen.host}:${listen.port}/status`;
  const status = await ask(url);
  if (options.json === true) return console.log(JSON.stringify(status, null, 2));
  const { consensus } = status as { consensus: Status };
  console.log(`validator  ${consensus.self ?? 'none'}${consensus.active ? ' (active)' : ''}`);
  console.log(`head       ${consensus.head}`);
  console.log(`deciding   height ${consensus.height}, round ${consensus.round}`);
  console.log(`syncing    ${consensus.syncing === null ? 'no' : JSON.stringify(consensus.syncing)}`);
  console.log(`peers      ${consensus.peers.length}`);
  for (const { address, role } of consensus.peers) console.log(`           ${address} ${role}`);
}

async function ask(url: string): Promise<unknown> {
  try {
    return await (await fetch(url)).json();
  } catch (cause) {
    throw new CliError(`no answer from ${url}: is the node running?`, { code: 'CLI_UNREACHABLE', url }, { cause });
  }
}
