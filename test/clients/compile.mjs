/**
 * Compiles the contracts with the solc of this project, imports taken from installed packages, and writes one file:
 * `{Name: {abi, bytecode}}`.
 *
 *   node compile.mjs OUT
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const solc = require('solc');

const files = ['Probe.sol', 'Tokens.sol'];
const read = (file) => readFileSync(new URL(`contracts/${file}`, import.meta.url), 'utf8');

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(files.map((file) => [file, { content: read(file) }])),
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'prague',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const findImport = (path) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));
const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));

const artifacts = files
  .flatMap((file) => Object.entries(output.contracts[file]))
  .map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]);
writeFileSync(process.argv[2], JSON.stringify(Object.fromEntries(artifacts)));
