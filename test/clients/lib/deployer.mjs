/** viem as the programs about contracts use it: deploy, write, read, with every write awaited and wanted to succeed. */
import assert from 'node:assert/strict';
import { createPublicClient, createWalletClient, defineChain, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { chainId } from './expectations.mjs';
import { readTask } from './report.mjs';

const task = readTask();
const chain = defineChain({
  id: chainId,
  name: 'Prime',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [task.rpcUrl] } },
});
const options = { chain, transport: http(), pollingInterval: 50, cacheTime: 0 };

export const account = privateKeyToAccount(task.privateKey);
export const reader = createPublicClient(options);
export const wallet = createWalletClient({ ...options, account });

async function succeeded(hash) {
  const receipt = await reader.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
  return receipt;
}

/**
 * A deployed contract.
 *
 * @param {{abi: object[], address: string}} contract
 */
const handle = (contract) => ({
  ...contract,
  read: (functionName, ...args) => reader.readContract({ ...contract, functionName, args }),
  write: async (functionName, args = [], value = 0n) =>
    succeeded(await wallet.writeContract({ ...contract, functionName, args, value })),
  /** The error that a call ends with. */
  refusal: async (functionName, ...args) => {
    try {
      await reader.simulateContract({ ...contract, functionName, args, account });
    } catch (error) {
      return error.walk((cause) => cause.name === 'ContractFunctionRevertedError') ?? error;
    }
    return assert.fail(`${functionName} was not refused`);
  },
});

export const contractAt = (address, abi) => handle({ address, abi });

/** @param {{abi: object[], bytecode: string}} artifact */
export async function deploy({ abi, bytecode }, ...args) {
  const code = bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`;
  const { contractAddress } = await succeeded(await wallet.deployContract({ abi, bytecode: code, args }));
  return contractAt(contractAddress, abi);
}
