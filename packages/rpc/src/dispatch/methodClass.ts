import type { MethodDefinition } from '../define.ts';

/** What methods are measured by: few, so that a metric of each is no burden, and apart where their times are. */
export const methodClasses = [
  /** What is in memory or one look at the disk. */
  'read',
  /** Runs the EVM on a state. */
  'call',
  /** Looks through history: logs, events, many blocks, proofs. */
  'logs',
  /** Executes again, step by step. */
  'trace',
  /** Takes a transaction, and signs what it is to be signed. */
  'write',
  /** An action of the order book or the bridge: it answers when its block is executed. */
  'orders',
  /** An action of the administrator, and what shows the whole mempool. */
  'admin',
] as const;

/** Class that a call is measured under. */
export type MethodClass = (typeof methodClasses)[number];

/** By the part of the name after the namespace, so that aliases are of one class. */
const classOfName: Readonly<Record<string, MethodClass>> = {
  call: 'call',
  estimateGas: 'call',
  createAccessList: 'call',
  fillTransaction: 'call',
  simulateV1: 'call',
  feeHistory: 'logs',
  getAccountTransactions: 'logs',
  getBlockActions: 'logs',
  getBlockReceipts: 'logs',
  getCandles: 'logs',
  getCommits: 'logs',
  getDomainEvents: 'logs',
  getFills: 'logs',
  getFilterChanges: 'logs',
  getFilterLogs: 'logs',
  getFunding: 'logs',
  getLiquidations: 'logs',
  getLogs: 'logs',
  getOrderHistory: 'logs',
  getParameters: 'logs',
  getProof: 'logs',
  getProposals: 'logs',
  getTransfers: 'logs',
  traceBlockByHash: 'trace',
  traceBlockByNumber: 'trace',
  traceCall: 'trace',
  traceTransaction: 'trace',
  sendRawTransaction: 'write',
  sendRawTransactionSync: 'write',
  sendTransaction: 'write',
  sign: 'write',
  signTransaction: 'write',
  signTypedData: 'write',
  signTypedData_v4: 'write',
  batch: 'orders',
  cancelAll: 'orders',
  cancelOrder: 'orders',
  depositCollateral: 'orders',
  dequeueEvmToOrders: 'orders',
  dequeueOrdersToEvm: 'orders',
  enqueueEvmToOrders: 'orders',
  enqueueOrdersToEvm: 'orders',
  liquidate: 'orders',
  scheduleCancel: 'orders',
  placeTrigger: 'orders',
  submitOrder: 'orders',
  addMarket: 'admin',
  content: 'admin',
  contentFrom: 'admin',
  inspect: 'admin',
  setMarginParams: 'admin',
};

/** The class of a method; `read` is what all others are. */
export const methodClassOf = ({ name }: Pick<MethodDefinition, 'name'>): MethodClass =>
  classOfName[name.slice(name.indexOf('_') + 1)] ?? 'read';
