import type { Hash, Hex } from '@prime/primitives';
import type { LogCriteria, LogEntry } from './chainPorts.ts';
import type { LogFilter } from '../lookup/logFilter.ts';
import type { Client } from '../dispatch/requestContext.ts';

/**
 * Filters are what a client polls over plain HTTP. They belong to no connection: whoever has the id may ask, and nobody can
 * guess one.
 */

/** What a filter collects between two polls. */
export type FilterWatch =
  | { readonly kind: 'blocks' }
  /** `full` tells whole transactions, else their hashes. */
  | { readonly kind: 'pendingTransactions'; readonly full: boolean }
  /** `filter` is what `eth_getFilterLogs` asks for anew each time. */
  | { readonly kind: 'logs'; readonly criteria: LogCriteria; readonly filter: LogFilter };

/** What came since the last poll, each thing once and in order. */
export type FilterChanges =
  | { readonly kind: 'hashes'; readonly hashes: readonly Hash[] }
  /** Of transactions that are to be told whole. */
  | { readonly kind: 'pendingTransactions'; readonly hashes: readonly Hash[] }
  | { readonly kind: 'logs'; readonly logs: readonly LogEntry[] };

/** Filters of all clients. They live in memory: a restart forgets them, and so does a long silence. */
export interface Filters {
  /** @throws RpcError `RPC_LIMIT_EXCEEDED` when the client, or all clients together, have too many */
  install(client: Client, watch: FilterWatch): Promise<Hex>;
  /** What the filter watches; null when there is no such filter. Counts as use. */
  find(id: Hex): Promise<FilterWatch | null>;
  /**
   * Polls that meet on one filter share what came: nothing is told twice, and what does not fit into one answer comes with the
   * next.
   *
   * @throws RpcError `RPC_FILTER_NOT_FOUND`, `RPC_LIMIT_EXCEEDED` once when pending transactions were missed
   */
  changes(id: Hex): Promise<FilterChanges>;
  /** @returns whether the filter existed */
  uninstall(id: Hex): Promise<boolean>;
}
