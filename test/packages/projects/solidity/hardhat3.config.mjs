/** For Hardhat 3; hardhat.config.cjs is for 2. */
import { createRequire } from 'node:module';
import hardhatEthers from '@nomicfoundation/hardhat-ethers';
import { defineConfig } from 'hardhat/config';

const { RPC_URL = 'http://127.0.0.1:1', PRIVATE_KEYS = '' } = process.env;

export default defineConfig({
  plugins: [hardhatEthers],
  solidity: {
    version: '0.8.30',
    // The solc of npm instead of the one that Hardhat would fetch.
    path: createRequire(import.meta.url).resolve('solc/soljson.js'),
    settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'prague' },
  },
  paths: { tests: { solidity: './test' } },
  networks: {
    // The next hard fork has a precompile at the address of the order book.
    default: { type: 'edr-simulated', hardfork: 'prague' },
    prime: { type: 'http', url: RPC_URL, accounts: PRIVATE_KEYS === '' ? [] : PRIVATE_KEYS.split(',') },
  },
});
