import { defaultDispatcherLimits } from '@prime/rpc';

/** Limits of the server and sizes of its read models; every one may be set by configuration. */
export const defaultGatewayLimits = {
  ...defaultDispatcherLimits,
  bodyBytesMax: 5 * 1024 * 1024,
  /** From the first byte of a body to its last, and again for an answer to be taken, ms. */
  bodyTimeoutMs: 30_000,
  /** Without a byte of a body that has begun, ms. */
  bodyStallMs: 6_000,
  /** A connection without a request is closed after about that, ms; the older build of the library closes it after 10 s. */
  idleMs: 75_000,
  /** Requests that are received or answered at once. */
  requestsMax: 4096,
  /** Bytes in memory of bodies that are not complete and of answers that callers have not taken. */
  bufferedBytesMax: 256 * 1024 * 1024,
  /** Time for running requests when the server closes, ms. */
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
  /** Filters of all clients together. */
  filtersMax: 10_000,
  filtersPerClientMax: 1_000,
  /** A filter that nobody asked for so long is gone, ms. */
  filterIdleMs: 300_000,
  /** Changes that one poll answers; the others come with the next. */
  filterChangesMax: 20_000,
  /** Blocks that one poll looks through. */
  filterBlocksMax: 10_000,
  /** WebSocket connections together, and of one client. */
  connectionsMax: 1_000,
  connectionsPerClientMax: 200,
  /** Of one connection. */
  subscriptionsMax: 1_024,
  /** What one connection may leave unread before it is closed. */
  socketBufferedBytesMax: 4 * 1024 * 1024,
  socketIdleMs: 120_000,
  /** Messages of one connection that are worked on at once; the others wait. */
  socketRequestsMax: 256,
  /** Characters of the messages of one connection that wait for their turn, and some for each; more end the connection. */
  socketWaitingMax: 16 * 1024 * 1024,
  /** Bytes that all connections together hold: unread answers, and requests that wait. */
  socketsBufferedBytesMax: 512 * 1024 * 1024,
} as const;

/** A number for each limit of the defaults; units stand there. */
export type GatewayLimits = { readonly [Name in keyof typeof defaultGatewayLimits]: number };
