/**
 * Writes the runtime code of the order book's contract as a module, from what packages/contracts/scripts/compile.mjs made.
 *
 *   node packages/predeploy/scripts/generateCode.mjs [--check]
 *
 * `--check` writes nothing, and fails when the module is not what the artifact gives.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { compiler, code } = createRequire(import.meta.url)('@prime/contracts/artifacts/PrimeOrders.json');
const path = new URL('../src/primeOrdersCode.ts', import.meta.url);
const content = [
  "import { hexToBytes } from '@prime/primitives';",
  '',
  '/**',
  ` * Runtime code of packages/contracts/PrimeOrders.sol, made by scripts/generateCode.mjs of what solc ${compiler} gave.`,
  ' * Part of the state of every network: other bytes are another chain.',
  ' */',
  'export const primeOrdersCode: Uint8Array = hexToBytes(',
  `  '${code}',`,
  ');',
  '',
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(path, content);
else if (readFileSync(path, 'utf8') !== content) {
  process.stderr.write(
    'src/primeOrdersCode.ts is not what the artifact gives: run node packages/predeploy/scripts/generateCode.mjs\n',
  );
  process.exitCode = 1;
}
