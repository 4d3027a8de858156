import { Type } from '@sinclair/typebox';
import type { Address, Hash, Hex } from '@prime/primitives';
import { heightOf } from './blocks.ts';
import type { MethodContext, ValueType } from './define.ts';
import { invalidParams, RpcError } from './errors.ts';
import { checkAlternatives, type LogFilter } from './logFilter.ts';
import type { LogEntry } from './ports.ts';
import type { Client } from './requestContext.ts';
import { type BlockSelector, hintKey, latest, valueType } from './valueTypes.ts';

/**
 * Filters are what a client polls over plain HTTP. They belong to no connection: whoever has the id may ask, and nobody can
 * guess one.
 */

/** Logs of blocks that are yet to come, as a log filter or subscription takes them. */
export interface LogCriteria {
  /** Empty matches every address. */
  readonly addresses: readonly Address[];
  /** As in a log query. */
  readonly topics: readonly (readonly Hash[] | null)[];
  /** Logs of blocks below are left out. */
  readonly fromHeight: number;
  /** And of blocks above; infinite without an end, -1 for no block at all. */
  readonly toHeight: number;
}

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

export const filterNotFound = (): RpcError => new RpcError('filter not found', { code: 'RPC_FILTER_NOT_FOUND' });

/** Whether the privacy fork hides what a filter tells. */
export const isHiddenWatch = (watch: FilterWatch): boolean =>
  watch.kind === 'logs' || (watch.kind === 'pendingTransactions' && watch.full);

/** Any hex word: which ones are filters is not a matter of form. */
export const filterId: ValueType<Hex> = valueType(
  Type.String({ pattern: '^0x[0-9a-fA-F]{0,64}$', [hintKey]: 'must be 0x and at most 64 hex digits' }),
  (value: string) => value.toLowerCase() as Hex,
);

/** @throws RpcError `RPC_FILTER_NOT_FOUND` */
export async function findFilter({ ports }: MethodContext, id: Hex): Promise<FilterWatch> {
  const watch = await ports.filters.find(id);
  if (watch === null) throw filterNotFound();
  return watch;
}

/**
 * What a log filter means for blocks to come. As in go-ethereum only new blocks are watched: an earlier fromBlock changes
 * nothing, and one block that is named by its hash brings no changes.
 *
 * @throws RpcError `RPC_INVALID_PARAMS`, `RPC_LIMIT_EXCEEDED`
 */
export async function logCriteria(context: MethodContext, filter: LogFilter): Promise<LogCriteria> {
  checkAlternatives(context, filter);
  const { addresses, topics, fromBlock, toBlock } = filter;
  if (filter.blockHash !== null) return { addresses, topics, fromHeight: 0, toHeight: -1 };
  const fromHeight = await heightOf(context, fromBlock ?? latest);
  const toHeight = isNow(toBlock) ? Number.POSITIVE_INFINITY : await heightOf(context, toBlock);
  if (fromHeight > toHeight) throw invalidParams('filter', 'invalid block range: fromBlock is after toBlock');
  return { addresses, topics, fromHeight, toHeight };
}

const isNow = (selector: BlockSelector | null): selector is null =>
  selector === null || (selector.kind === 'tag' && selector.tag !== 'earliest');
