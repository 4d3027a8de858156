import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

/** A compiled contract: what a deployment needs. */
export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
}

const require = createRequire(import.meta.url);

const ownContracts = new URL('../contracts/', import.meta.url);

/** Compiles a contract of a folder with solc; what it imports is taken from there or from installed packages. @param folder ends with a slash */
export function compileContract(file: string, name: string, folder: URL = ownContracts): Artifact {
  const solc = require('solc') as { compile(input: string, callbacks: object): string };
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(new URL(file, folder), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'prague',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const findImport = (path: string): { contents: string } => {
    const own = new URL(path, folder);
    return { contents: readFileSync(existsSync(own) ? own : require.resolve(path), 'utf8') };
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport })) as CompilerOutput;
  const failures = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const contract = output.contracts[file]?.[name];
  if (contract === undefined) throw new Error(`${file} defines no contract ${name}`);
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}
