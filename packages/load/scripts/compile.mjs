/**
 * Compiles the contracts that load runs deploy, and writes their code as it is checked in: a load generator needs no compiler. The
 * same source gives the same bytes on every machine: compiler version and settings are fixed and the code carries no metadata.
 *
 *   node packages/load/scripts/compile.mjs [--check]
 *
 * `--check` writes nothing, and fails when the file is not what the sources give.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const solc = require('solc');
const at = (path) => new URL(`../${path}`, import.meta.url);
const names = ['LoadToken', 'LoadStorage', 'LoadPool', 'LoadTrader'];

function compile() {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map((name) => [`${name}.sol`, { content: readFileSync(at(`contracts/${name}.sol`), 'utf8') }]),
    ),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'prague',
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const findImport = (path) => {
    const own = at(`contracts/${path}`);
    return { contents: readFileSync(existsSync(own) ? own : require.resolve(path), 'utf8') };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }));
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return names.map((name) => [name, output.contracts[`${name}.sol`][name].evm.bytecode.object]);
}

const lines = [
  '/**',
  ` * What creates the contracts of packages/load/contracts, made by scripts/compile.mjs with solc`,
  ` * ${solc.version()}. Arguments of a constructor are appended.`,
  ' */',
  'export const creationCode = {',
  ...compile().map(([name, code]) => `  ${name}:\n    '0x${code}',`),
  '} as const satisfies Readonly<Record<string, string>>;',
  '',
];
const path = 'src/scenario/contracts/creationCode.ts';
if (!process.argv.includes('--check')) writeFileSync(at(path), lines.join('\n'));
else if (readFileSync(at(path), 'utf8') !== lines.join('\n')) {
  process.stderr.write(`${path} is not what the sources give: run node packages/load/scripts/compile.mjs\n`);
  process.exitCode = 1;
}
