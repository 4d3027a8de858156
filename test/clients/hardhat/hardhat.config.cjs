/** A Hardhat 2 project as a user has it, with the solc of npm instead of the one that Hardhat would fetch. */
const { join } = require('node:path');
const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');
const solc = require('solc');

require('@nomicfoundation/hardhat-ethers');

const task = JSON.parse(process.env.PRIME_TASK);
const version = '0.8.30';

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD).setAction(async () => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version,
  longVersion: solc.version(),
}));

module.exports = {
  solidity: { version, settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'prague' } },
  networks: {
    prime: { url: task.rpcUrl, accounts: [task.privateKey] },
    /** The same node, which signs itself. */
    unlocked: { url: task.rpcUrl, accounts: 'remote' },
  },
  paths: { root: task.directory, sources: join(task.directory, 'contracts') },
};
