import { defaultDispatcherLimits } from '@prime/rpc';

/** Limits of the server and sizes of its read models; every one may be set by configuration. */
export const defaultGatewayLimits = {
  ...defaultDispatcherLimits,
  bodyBytesMax: 5 * 1024 * 1024,
  bodyTimeoutMs: 30_000,
  bodyStallMs: 6_000,
  /** An HTTP connection without a request, where the library lets it be set. */
  idleMs: 75_000,
  requestsMax: 4096,
  bufferedBytesMax: 256 * 1024 * 1024,
  closeTimeoutMs: 5000,
  /** From admission of an action to the block that executes it. */
  actionTimeoutMs: 10_000,
  /** Calls per second of one client without a key; 0 is no limit. */
  clientRequestsPerSecond: 0,
  /** Calls that such a client may save up. */
  clientBurst: 100,
  /** Calls of such a client in work at once; 0 is no limit. */
  clientConcurrency: 0,
  /** Clients whose calls are counted. */
  clientsMax: 10_000,
  /** Reads that the consensus thread is asked at once. */
  consensusReadsMax: 32,
  /** Lateness of the thread from which heavy calls are refused, ms. */
  busyDelayMs: 200,
  /** Lateness of the thread from which the public surface refuses everything, ms. */
  overloadDelayMs: 1_000,
  recentBlocks: 256,
  /** Memory of those, about. */
  recentBytes: 16 << 20,
  hotAccounts: 10_000,
  /** Hashes of pending transactions that are remembered for filters. */
  pendingHashesMax: 65_536,
  filtersMax: 10_000,
  filtersPerClientMax: 1_000,
  filterIdleMs: 300_000,
  filterChangesMax: 20_000,
  filterBlocksMax: 10_000,
  /** WebSocket connections together, and of one client. */
  connectionsMax: 1_000,
  connectionsPerClientMax: 200,
  /** Of one connection. */
  subscriptionsMax: 1_024,
  /** What one connection may leave unread before it is closed. */
  socketBufferedBytesMax: 4 * 1024 * 1024,
  socketIdleMs: 120_000,
  /** Messages of one connection that are worked on at once. */
  socketRequestsMax: 256,
  /** Characters of the messages of one connection that wait for their turn. */
  socketWaitingMax: 16 * 1024 * 1024,
  /** Bytes that all connections together hold: unread answers, and requests that wait. */
  socketsBufferedBytesMax: 512 * 1024 * 1024,
} as const;

/** A number for each limit of the defaults; units stand there. */
export type GatewayLimits = { readonly [Name in keyof typeof defaultGatewayLimits]: number };
