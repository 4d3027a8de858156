export type { ActionSelection } from './actionPool.ts';
export type { Drained, DrainRates, MempoolCommit, MempoolDrain } from './commit.ts';
export { effectiveTip } from './effectiveTip.ts';
export { MempoolError, type MempoolErrorDetail } from './errors.ts';
export { createMempool, type Mempool, type MempoolItem, type MempoolStatus } from './mempool.ts';
export { defaultMempoolLimits, type MempoolLimits, type MempoolOptions } from './options.ts';
export type { TransactionSelection } from './selectTransactions.ts';
export type { Account } from './senderQueue.ts';
