import type { Genesis, SelfTradeMode } from '@prime/codec';
import type { OrderBooks, OrdersProver } from './bookPorts.ts';
import type { ChainReader, Network } from './chainPorts.ts';
import type { Filters } from './filterPorts.ts';
import type { Accounts, Actions, TransactionPool } from './poolPorts.ts';
import type { StateReader } from './statePorts.ts';
import type { Traces } from './tracePorts.ts';

export type * from './bookPorts.ts';
export type * from './chainPorts.ts';
export type * from './poolPorts.ts';
export type * from './statePorts.ts';

/**
 * What the methods need from the node. Every port may answer later and takes plain data, so that what answers may sit in this
 * thread's memory, behind the bus or in a pool; the gateway implements all of them.
 */
export interface RpcPorts {
  readonly chain: ChainReader;
  readonly state: StateReader;
  readonly pool: TransactionPool;
  readonly actions: Actions;
  readonly network: Network;
  readonly books: OrderBooks;
  readonly ordersProver: OrdersProver;
  readonly accounts: Accounts;
  readonly traces: Traces;
  readonly filters: Filters;
  readonly clock: WallClock;
}

/** The time that this node writes into the blocks that it proposes. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/** What does not change while the node runs. */
export interface NodeInfo {
  readonly chainId: number;
  /** Version of the peer to peer protocol. */
  readonly protocolVersion: number;
  /** `<name>/<version>`. */
  readonly clientVersion: string;
  /** What an order does about its owner's own resting orders when it does not say. */
  readonly selfTrade: SelfTradeMode;
  /** The parameters of genesis, with all defaults. */
  readonly rules: Pick<Genesis, 'consensus' | 'evm' | 'clob'>;
  /** The genesis as genesis.json has it, JSON without line ends. */
  readonly genesisText: () => string;
  /** Head from which on the public surface hides metadata of transactions; null is never. */
  readonly privacyForkBlock: number | null;
  readonly limits: RpcLimits;
}

/** What one call may ask for or cost. */
export interface RpcLimits {
  /** Blocks one log or event query may span. */
  readonly logBlockRange: number;
  /** Logs or events one query may return. */
  readonly logCount: number;
  /** Addresses, or alternatives of one topic, in a log filter. */
  readonly filterAlternatives: number;
  /** Gas of one eth_call or eth_estimateGas. */
  readonly callGas: bigint;
  /** Wall-clock time of one trace. */
  readonly traceMs: number;
  /** Headers of one eth_feeHistory. */
  readonly feeHistoryBlocks: number;
  readonly feeHistoryPercentiles: number;
  /** Storage slots that one eth_getProof proves. */
  readonly proofSlots: number;
  /** Bytes of one raw transaction. */
  readonly transactionBytes: number;
  /** How long eth_sendRawTransactionSync waits when the caller does not say, ms. */
  readonly sendSyncMs: number;
  /** The longest that it waits, ms. */
  readonly sendSyncMsMax: number;
  /** Tip in wei that is suggested while the chain has no transactions to learn from. */
  readonly defaultPriorityFee: bigint;
}

/** Limits of a node with default settings. */
export const defaultRpcLimits: RpcLimits = {
  logBlockRange: 100_000,
  logCount: 20_000,
  filterAlternatives: 1000,
  callGas: 50_000_000n,
  traceMs: 10_000,
  feeHistoryBlocks: 1024,
  feeHistoryPercentiles: 100,
  proofSlots: 1024,
  transactionBytes: 128 * 1024,
  sendSyncMs: 20_000,
  sendSyncMsMax: 60_000,
  defaultPriorityFee: 1_000_000_000n,
};
