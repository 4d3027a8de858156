/** The solc of npm instead of the one that Hardhat would fetch. */
const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');
const solc = require('solc');

require('@nomicfoundation/hardhat-ethers');

const version = '0.8.30';
const { RPC_URL = 'http://127.0.0.1:1', PRIVATE_KEYS = '' } = process.env;

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD).setAction(async () => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version,
  longVersion: solc.version(),
}));

module.exports = {
  solidity: { version, settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'prague' } },
  networks: {
    hardhat: { hardfork: 'prague' },
    prime: { url: RPC_URL, accounts: PRIVATE_KEYS === '' ? [] : PRIVATE_KEYS.split(',') },
  },
};
