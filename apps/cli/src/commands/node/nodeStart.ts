import { askAtTerminal, runNode } from '@prime/node';
import type { Command } from 'commander';

interface StartOptions {
  readonly home: string;
  readonly role?: string;
  readonly logFormat?: string;
  readonly logLevel?: string;
  readonly passwordFile?: string;
}

/** `prime node start`. In a file of its own: a node that starts loads nothing else. */
export function addNodeStartCommand(node: Command): void {
  node
    .command('start')
    .description('Run a node in the foreground until SIGINT or SIGTERM')
    .requiredOption('--home <dir>', 'home folder of the node')
    .option('--role <role>', 'validator, full or archive')
    .option('--log-format <format>', 'json or pretty')
    .option('--log-level <level>', 'error, warn, info, debug or trace')
    .option('--password-file <file>', 'password of the hot key (else as docs/operate/keys.md has it)')
    .action(async (options: StartOptions) => {
      const flags = Object.fromEntries(
        Object.entries({
          'node.role': options.role,
          'log.format': options.logFormat,
          'log.level': options.logLevel,
        }).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      // After a failure threads may still be alive that nobody waits for.
      const { home, passwordFile } = options;
      const passwords = { file: passwordFile, ask: askAtTerminal };
      process.exit(await runNode({ home, flags, environment: process.env, passwords }));
    });
}
