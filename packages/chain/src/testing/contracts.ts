import { ordersAddress } from '@prime/codec';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { VerifiedTransaction } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createNodeCommon } from '@prime/evm';
import { createTestAccount, createTestVerifier } from '@prime/evm/testing';
import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import {
  type Abi,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  getContractAddress,
  type Hex,
} from 'viem';

/** Contracts against the order book, for tests in memory. */

const require = createRequire(import.meta.url);
const folder = new URL('../../../predeploy/contracts/', import.meta.url);

const { abi: ordersAbi } = require('@prime/contracts/artifacts/PrimeOrders.json') as { abi: Abi };

export interface Compiled {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Compiles a file of packages/predeploy/contracts. */
export function compile(path: string, name: string): Compiled {
  const solc = require('solc') as { compile(input: string, callbacks: object): string };
  const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, folder)), 'utf8');
  const settings = { evmVersion: 'prague', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } };
  const input = { language: 'Solidity', sources: { [path]: { content: read(path) } }, settings };
  const findImport = (file: string): { contents: string } => ({
    contents: readFileSync(require.resolve(file), 'utf8'),
  });
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport })) as {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
    readonly contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
  };
  for (const { severity, formattedMessage } of output.errors ?? [])
    if (severity === 'error') throw new Error(formattedMessage);
  const { abi, evm } = output.contracts[path]![name]!;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

/** An account that signs transactions one after another. */
export interface Actor {
  readonly address: Address;
  /** Calls a function of the order book. */
  orders(name: string, args?: readonly unknown[], value?: bigint): VerifiedTransaction;
  call(to: Address, abi: Abi, name: string, args?: readonly unknown[], value?: bigint): VerifiedTransaction;
  send(to: Address, value: bigint): VerifiedTransaction;
  deploy(contract: Compiled, value?: bigint): { readonly transaction: VerifiedTransaction; readonly address: Address };
}

const gasLimit = 5_000_000n;

export async function createActor(name: string, chainId: number): Promise<Actor> {
  const provider = await cryptoProvider();
  const common = await createNodeCommon(chainId);
  const account = createTestAccount(name, common, provider);
  const verify = createTestVerifier(chainId, provider);
  let nonce = 0;
  const sign = (to: Address | null, data: Uint8Array, value: bigint, gas = gasLimit): VerifiedTransaction =>
    verify(account.sign({ nonce: nonce++, to, data, value, gasLimit: gas }));
  const call: Actor['call'] = (to, abi, functionName, args = [], value = 0n) =>
    sign(to, hexToBytes(encodeFunctionData({ abi, functionName, args })), value);
  return {
    address: account.address,
    call,
    orders: (functionName, args, value) => call(ordersAddress, ordersAbi, functionName, args, value),
    send: (to, value) => sign(to, new Uint8Array(0), value),
    deploy({ bytecode }, value = 0n) {
      const address = getContractAddress({
        from: account.address as Hex,
        nonce: BigInt(nonce),
      }).toLowerCase() as Address;
      return { address, transaction: sign(null, hexToBytes(bytecode), value) };
    },
  };
}

/** Calldata of a function of the order book. */
export const ordersCall = (functionName: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: ordersAbi, functionName, args });

/** Name and arguments of the error that a call to the order book reverted with. */
export function ordersError(output: Uint8Array): string {
  const data = `0x${Buffer.from(output).toString('hex')}` as Hex;
  const { errorName, args = [] } = decodeErrorResult({ abi: ordersAbi, data });
  return `${errorName}(${args.join(', ')})`;
}

/** What a read of the order book returned: a value, or a list of several. */
export const ordersResult = (functionName: string, output: Uint8Array): unknown =>
  lowerCase(decodeFunctionResult({ abi: ordersAbi, functionName, data: bytesToHex(output) as `0x${string}` }));

/** Addresses as they are written here. */
const lowerCase = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(lowerCase)
    : typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
      ? value.toLowerCase()
      : value;
