export type { ActionSelection } from './actionPool.ts';
export { MempoolError, type MempoolErrorDetail } from './errors.ts';
export { createMempool, type Mempool, type MempoolCommit, type MempoolItem, type MempoolStatus } from './mempool.ts';
export { defaultMempoolLimits, type MempoolLimits, type MempoolOptions } from './options.ts';
export { effectiveTip, type TransactionSelection } from './selectTransactions.ts';
export type { Account } from './senderQueue.ts';
