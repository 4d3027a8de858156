/** Numbers of PrimeConstants.sol, for callers in TypeScript. */

/** The order book's account: takes {@link primeOrdersAbi}. */
export const primeOrdersAddress = '0x0000000000000000000000000000000000000100';

/** The precompile that answers the reads of {@link primeOrdersAddress}. */
export const orderReadsAddress = '0x0000000000000000000000000000000000000101';

/** Parameter `tif` of submitOrder. */
export const timeInForce = { gtc: 0, ioc: 1, fok: 2 } as const;

/** Parameter `flags` of submitOrder: add them up, at most one of the four that say what happens when an order meets its owner's own. */
export const orderFlags = {
  none: 0,
  postOnly: 1,
  reduceOnly: 2,
  cancelMaker: 0,
  cancelTaker: 4,
  cancelBoth: 8,
  decrement: 12,
} as const;

/** `status` of orderByClientId. */
export const orderStatus = { unknown: 0, open: 1, filled: 2, cancelled: 3, rejected: 4 } as const;

/** Parameter `permissions` of approveAgent: add them up. */
export const agentPermissions = { trade: 1, cancel: 2, liquidate: 4 } as const;

/** Transactions so many blocks after a write are the first that read what it did. */
export const visibleAfterBlocks = 2;
