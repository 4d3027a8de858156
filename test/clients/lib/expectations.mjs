/** What every client has to find, whatever its words for it are. */
export const chainId = 7919;
export const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
/** The deterministic deployment proxy that foundry, viem and hardhat send CREATE2 deployments through. */
export const create2Deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Argument of Probe's constructor: the most that `refuseWithError` accepts. */
export const allowed = 7n;
/** Asked of `refuseWithError`. */
export const wanted = 9n;
export const refusalText = 'the probe refuses';
/** Solidity's code of a division by zero. */
export const divisionByZero = 0x12n;

/** Transactions that are sent at once. */
export const parallelSends = 20;

export const multicallAbi = [
  {
    type: 'function',
    name: 'aggregate3',
    stateMutability: 'payable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'allowFailure', type: 'bool' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
    outputs: [
      {
        name: 'returnData',
        type: 'tuple[]',
        components: [
          { name: 'success', type: 'bool' },
          { name: 'returnData', type: 'bytes' },
        ],
      },
    ],
  },
];
