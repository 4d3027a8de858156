import { createHash, randomBytes } from 'node:crypto';
import { type ConfigValues, loadConfig, renderTable } from '@prime/config';
import { definitions } from '@prime/rpc';
import type { Command } from 'commander';
import { parseWholeNumber, usageError } from '../../errors.ts';

interface NewFlags {
  readonly name: string;
  readonly requestsPerSecond?: string;
  readonly concurrency?: string;
  readonly methods?: string;
  readonly operator?: boolean;
}

/** Random part of a key; so long that its plain hash tells nothing. */
const secretBytes = 32;
const countMax = 1_000_000;

/** `prime apikey new`. */
export function addApiKeyCommands(program: Command): void {
  program
    .command('apikey')
    .description('API keys of the JSON-RPC')
    .command('new')
    .description('Make a key: the key for its owner, and the lines of config.toml that let it in')
    .requiredOption('--name <name>', 'unique name, for messages and logs')
    .option('--requests-per-second <n>', 'calls per second, 0 is no limit')
    .option('--concurrency <n>', 'calls in work at once, 0 is no limit')
    .option('--methods <names>', 'allowed methods, separated by commas, for instance eth_*,net_version')
    .option('--operator', 'let it use rpc.operator_listen from other machines')
    .action((flags: NewFlags) => {
      const key = `prime_${randomBytes(secretBytes).toString('base64url')}`;
      const entry = entryOf(flags, key);
      // Says what is wrong with a name or a pattern before anybody pastes it.
      loadConfig({ environment: { PRIME_RPC_API_KEYS: JSON.stringify([entry]) } });
      console.log(`# The key. It is shown only now and kept nowhere:\n# ${key}\n`);
      console.log(`# For config.toml:\n${renderTable('rpc.api_keys', entry)}`);
    });
}

function entryOf({ name, requestsPerSecond, concurrency, methods, operator }: NewFlags, key: string): ConfigValues {
  return {
    name,
    hash: `sha256:${createHash('sha256').update(key).digest('hex')}`,
    ...(requestsPerSecond === undefined
      ? {}
      : { requests_per_second: parseWholeNumber(requestsPerSecond, '--requests-per-second', 0, countMax) }),
    ...(concurrency === undefined ? {} : { concurrency: parseWholeNumber(concurrency, '--concurrency', 0, countMax) }),
    ...(methods === undefined ? {} : { methods: methodsOf(methods) }),
    ...(operator === true ? { operator } : {}),
  };
}

/** Patterns of which each lets somebody call something: a mistyped one would lock its owner out. @throws CliError `CLI_USAGE` */
function methodsOf(text: string): string[] {
  const patterns = text.split(',');
  for (const pattern of patterns) {
    const begin = pattern.endsWith('*') ? pattern.slice(0, -1) : null;
    const matches = definitions.some(({ name }) => (begin === null ? name === pattern : name.startsWith(begin)));
    if (matches) continue;
    const namespaces = [...new Set(definitions.map(({ name }) => name.slice(0, name.indexOf('_') + 1)))];
    throw usageError(
      `--methods: ${JSON.stringify(pattern)} matches no method; methods begin with ${namespaces.join(', ')}`,
      '--methods',
    );
  }
  return patterns;
}
