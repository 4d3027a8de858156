/**
 * Compiles the order book's contract and its stand-in, and writes what is checked in: ABIs and code. The same source gives the same bytes on
 * every machine: compiler version and settings are fixed and the code carries no metadata.
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
const read = (path) => readFileSync(at(path), 'utf8');

/** @param runs the more often code runs, the larger it may be */
function compile(sources, runs) {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map((file) => [file, { content: read(file) }])),
    settings: {
      optimizer: { enabled: true, runs },
      evmVersion: 'prague',
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object', 'storageLayout'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: (path) => ({ contents: read(path) }) }));
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return output.contracts;
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const artifactOf = (contract, abi, { evm }) =>
  json({ contract, compiler: solc.version(), abi, code: `0x${evm.deployedBytecode.object}` });

/** Types follow from a constant only; what a type is called in Solidity is nothing to them. */
const typescriptOf = (name, what, abi) =>
  [
    `/** ABI of ${what}, made by scripts/compile.mjs. */`,
    `export const ${name} = ${JSON.stringify(abi, (key, value) => (key === 'internalType' ? undefined : value))} as const;`,
    '',
  ].join('\n');

function files() {
  // Its code is state of every network: these settings stay as they are.
  const book = compile(['IPrimeOrders.sol', 'PrimeOrders.sol'], 100_000);
  const { abi } = book['IPrimeOrders.sol'].IPrimeOrders;
  const mock = compile(['mock/PrimeOrdersMock.sol'], 200)['mock/PrimeOrdersMock.sol'].PrimeOrdersMock;
  return {
    'abi/IPrimeOrders.json': json(abi),
    'artifacts/PrimeOrders.json': artifactOf('PrimeOrders', abi, book['PrimeOrders.sol'].PrimeOrders),
    'artifacts/PrimeOrdersMock.json': artifactOf('PrimeOrdersMock', mock.abi, mock),
    'src/generated/primeOrdersAbi.ts': typescriptOf('primeOrdersAbi', 'the order book at 0x…0100', abi),
    'src/generated/primeOrdersMockAbi.ts': typescriptOf('primeOrdersMockAbi', 'mock/PrimeOrdersMock.sol', mock.abi),
  };
}

const check = process.argv.includes('--check');
let different = 0;
for (const [path, content] of Object.entries(files())) {
  if (!check) writeFileSync(at(path), content);
  else if (read(path) !== content) {
    different++;
    process.stderr.write(`${path} is not what the source gives: run node packages/contracts/scripts/compile.mjs\n`);
  }
}
process.exitCode = different === 0 ? 0 : 1;
