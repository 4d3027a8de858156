#!/usr/bin/env node
/**
 * The solc of this project as the program that forge wants: `--version`, and `--standard-json` from standard input.
 * forge puts the text of every source into its input, so imports need no lookup.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const solc = createRequire(import.meta.url)('solc');

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else if (process.argv.includes('--standard-json')) {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  process.stderr.write('only --version and --standard-json are known\n');
  process.exitCode = 1;
}
