import { exitCode, exitCodeOf } from '@prime/node';
import { isPrimeError } from '@prime/primitives';
import { Command, CommanderError } from 'commander';
import { addApiKeyCommands } from './commands/apiKey.ts';
import { addConfigCommands } from './commands/config.ts';
import { addNodeCommands } from './commands/node.ts';
import { addTestnetCommands } from './commands/testnet.ts';
import { addVerifyCertCommand } from './commands/verifyCert.ts';
import { addWalCommands } from './commands/wal.ts';
import { addWatermarkCommands } from './commands/watermark.ts';

/** The `prime` command. */
const program = new Command('prime')
  .description('Prime: an exchange chain. Run and look after validators.')
  .version('0.1.0')
  .exitOverride();
addTestnetCommands(program);
addNodeCommands(program);
addConfigCommands(program);
addApiKeyCommands(program);
addWalCommands(program);
addWatermarkCommands(program);
addVerifyCertCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what went wrong in one line and picks the exit code that scripts can act on. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (isPrimeError(error)) {
    console.error(`prime: ${error.message} [${error.code}]`);
    return exitCodeOf(error.code);
  }
  const { message, code } = error as { message?: string; code?: string };
  console.error(`prime: ${message ?? String(error)}`);
  return code === undefined ? exitCode.internal : exitCodeOf(code);
}
