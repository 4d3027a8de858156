/**
 * The packages that are published; all others of the repository stay private (docs/adr/0154-published-packages.md).
 *
 * `assets` are files and folders beside the built code that are published as they are.
 */
export const publicPackages = [
  {
    name: '@prime/contracts',
    folder: 'packages/contracts',
    description: 'Solidity interface, mock, examples and ABI of the order book of a Prime chain.',
    keywords: ['prime', 'solidity', 'order book', 'exchange', 'hardhat', 'foundry', 'abi'],
    assets: [
      'IPrimeOrders.sol',
      'PrimeConstants.sol',
      'PrimeOrders.sol',
      'abi',
      'artifacts',
      'examples',
      'mock',
      'remappings.txt',
    ],
  },
  {
    name: '@prime/sdk',
    folder: 'packages/sdk',
    description: 'Client library of the Prime exchange chain, on viem: markets, orders, streams, accounts.',
    keywords: ['prime', 'viem', 'exchange', 'order book', 'trading', 'client', 'sdk'],
    assets: [],
  },
];

/** File name of a package in folders of results: `sdk`. */
export const shortName = ({ name }) => name.replace(/^@prime\//, '');
