import type { Mutant } from './mutant.ts';

const chain = (file: string): string => `packages/chain/src/${file}`;
const check = [chain('pipeline/check.test.ts')];
const boundary = [chain('domains/boundary.test.ts')];

export const chainMutants: readonly Mutant[] = [
  {
    name: 'a transaction that pays exactly the base fee is refused',
    file: chain('pipeline/check.ts'),
    text: 'transaction.maxFeePerGas < header.baseFee',
    planted: 'transaction.maxFeePerGas <= header.baseFee',
    tests: check,
  },
  {
    name: 'a sender that has exactly the cost is refused',
    file: chain('pipeline/check.ts'),
    text: 'cost > account.balance',
    planted: 'cost >= account.balance',
    tests: check,
  },
  {
    name: 'gas limits that add up to exactly the block’s are too much',
    file: chain('pipeline/check.ts'),
    text: 'gas <= header.gasLimit',
    planted: 'gas < header.gasLimit',
    tests: check,
  },
  {
    name: 'the second transaction of a sender has the nonce of the first',
    file: chain('pipeline/check.ts'),
    text: 'nonce: account.nonce + 1, balance',
    planted: 'nonce: account.nonce, balance',
    tests: check,
  },
  {
    name: 'the value of a transaction is not in what it may cost',
    file: chain('pipeline/check.ts'),
    text: 'transaction.gasLimit * transaction.maxFeePerGas + transaction.value',
    planted: 'transaction.gasLimit * transaction.maxFeePerGas',
    tests: check,
  },
  {
    name: 'one height more is kept',
    file: chain('history/pruner.ts'),
    text: 'Math.max(0, head - count + 1)',
    planted: 'Math.max(0, head - count)',
    tests: [chain('history/pruner.test.ts')],
  },
  {
    name: 'a call gives up nine heights',
    file: chain('history/pruner.ts'),
    text: 'const heightsMax = 8;',
    planted: 'const heightsMax = 9;',
    tests: [chain('history/pruner.test.ts')],
  },
  {
    name: 'who has exactly the deposit is helped by the faucet',
    file: chain('domains/boundary.ts'),
    text: 'this.#evm.balance(this.#faucet) >= amount',
    planted: 'this.#evm.balance(this.#faucet) > amount',
    tests: boundary,
  },
  {
    name: 'what the faucet paid of a refused deposit goes to nobody',
    file: chain('domains/boundary.ts'),
    text: 'if (this.#faucet !== null) await this.#move(ordersAddress, this.#faucet, debit.faucetAmount);',
    planted: '',
    tests: boundary,
  },
  {
    name: 'a snapshot of height 1 is taken',
    file: chain('snapshot/snapshotter.ts'),
    text: 'export const snapshotHeightMin = 2;',
    planted: 'export const snapshotHeightMin = 1;',
    tests: [chain('snapshot/snapshotter.test.ts')],
  },
  {
    name: 'topics are indexed one position too early',
    file: chain('history/terms.ts'),
    text: 'tell(postingLists.logAddress + position, logs, start, place)',
    planted: 'tell(postingLists.logAddress + Math.max(0, position - 1), logs, start, place)',
    tests: [chain('history/historyIndex.test.ts')],
  },
  {
    name: 'the window that a range ends in is left out',
    file: chain('history/postings.ts'),
    text: 'toHeight + windowLimits.blocks, indexed',
    planted: 'toHeight, indexed',
    tests: [chain('history/historyIndex.test.ts')],
  },
  {
    name: 'postings of a window go with its first block',
    file: chain('history/windows.ts'),
    text: 'database.scan(begin(0), begin(oldest))',
    planted: 'database.scan(begin(0), begin(oldest + windowLimits.blocks))',
    tests: [chain('history/windows.test.ts')],
  },
  {
    name: 'a process that goes on begins a window with its first block',
    file: chain('history/windows.ts'),
    text: 'let missing = first;',
    planted: 'let missing = height as number;',
    tests: [chain('history/historyIndex.test.ts')],
  },
  {
    name: 'a client id that a later order has goes with the block of an earlier one',
    file: chain('history/endedOrders.ts'),
    text: '?.height === height',
    planted: '?.height >= height',
    tests: [chain('history/endedOrders.test.ts')],
  },
  {
    name: 'an ended order is looked up one place too far',
    file: chain('history/findOrder.ts'),
    text: 'decodeClosedOrderAt(record, place.index)',
    planted: 'decodeClosedOrderAt(record, place.index + 1)',
    tests: [chain('history/endedOrders.test.ts')],
  },
];
