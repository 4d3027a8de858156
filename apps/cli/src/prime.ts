import { exitCode, exitCodeOf } from '@prime/node';
import { isPrimeError } from '@prime/primitives';
import { CommanderError } from 'commander';
import { createProgram } from './program.ts';

try {
  const args = process.argv.slice(2);
  const program = await createProgram(args);
  await program.parseAsync(args, { from: 'user' });
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
