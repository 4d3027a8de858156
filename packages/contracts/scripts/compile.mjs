/**
 * Compiles the order book's contract, and writes what is checked in: its runtime code and the interface's ABI. The same source
 * gives the same bytes on every machine: compiler version and settings are fixed and the code carries no metadata.
 *
 *   node packages/contracts/scripts/compile.mjs [--check]
 *
 * `--check` writes nothing, and fails when a file is not what the source gives.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const solc = require('solc');
const at = (path) => new URL(`../${path}`, import.meta.url);

const sources = ['IPrimeOrders.sol', 'PrimeOrders.sol'];

function compile() {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      sources.map((file) => [file, { content: readFileSync(at(`contracts/${file}`), 'utf8') }]),
    ),
    settings: {
      optimizer: { enabled: true, runs: 100_000 },
      evmVersion: 'prague',
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object', 'storageLayout'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return output.contracts;
}

function files() {
  const contracts = compile();
  const { evm } = contracts['PrimeOrders.sol'].PrimeOrders;
  const { abi } = contracts['IPrimeOrders.sol'].IPrimeOrders;
  const artifact = { contract: 'PrimeOrders', compiler: solc.version(), abi, code: `0x${evm.deployedBytecode.object}` };
  const code = [
    "import { hexToBytes } from '@prime/primitives';",
    '',
    '/**',
    ` * Runtime code of contracts/PrimeOrders.sol, made by scripts/compile.mjs with solc ${solc.version()}.`,
    ' * Part of the state of every network: other bytes are another chain.',
    ' */',
    'export const primeOrdersCode: Uint8Array = hexToBytes(',
    `  '${artifact.code}',`,
    ');',
    '',
  ];
  return {
    'artifacts/PrimeOrders.json': `${JSON.stringify(artifact, null, 2)}\n`,
    'src/primeOrdersCode.ts': code.join('\n'),
  };
}

const check = process.argv.includes('--check');
let different = 0;
for (const [path, content] of Object.entries(files())) {
  if (!check) writeFileSync(at(path), content);
  else if (readFileSync(at(path), 'utf8') !== content) {
    different++;
    process.stderr.write(`${path} is not what the source gives: run node packages/contracts/scripts/compile.mjs\n`);
  }
}
process.exitCode = different === 0 ? 0 : 1;
