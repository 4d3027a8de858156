import { Command } from 'commander';
import { addApiKeyCommands } from './commands/apiKey.ts';
import { addConfigCommands } from './commands/config.ts';
import { addDbCommands } from './commands/db.ts';
import { addNodeCommands } from './commands/node.ts';
import { addPeersCommands } from './commands/peers.ts';
import { addTestnetCommands } from './commands/testnet.ts';
import { addSignerCommands } from './commands/signer.ts';
import { addSnapshotCommands } from './commands/snapshot.ts';
import { addValidatorCommands } from './commands/validator.ts';
import { addVerifyCertCommand } from './commands/verifyCert.ts';
import { addWalCommands } from './commands/wal.ts';
import { addWatermarkCommands } from './commands/watermark.ts';

/** The `prime` command, which throws what goes wrong. */
export function createProgram(): Command {
  const program = new Command('prime')
    .description('Prime: an exchange chain. Run and look after validators.')
    .version('0.1.0')
    .exitOverride()
    // As any other failure: one line that says who speaks, with its code.
    .configureOutput({
      outputError: (text, write) => write(`${text.replace(/^error: /, 'prime: ').trimEnd()} [CLI_USAGE]\n`),
    });
  addTestnetCommands(program);
  addNodeCommands(program);
  addPeersCommands(program);
  addConfigCommands(program);
  addApiKeyCommands(program);
  addDbCommands(program);
  addWalCommands(program);
  addWatermarkCommands(program);
  addSnapshotCommands(program);
  addSignerCommands(program);
  addVerifyCertCommand(program);
  addValidatorCommands(program);
  return program;
}
