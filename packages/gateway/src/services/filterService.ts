import { type Hash, type Height, type Hex, isPrimeError, SerialQueue } from '@prime/primitives';
import {
  type ChainReader,
  type Client,
  type FilterChanges,
  filterNotFound,
  type Filters,
  type FilterWatch,
  limitExceeded,
  type LogCriteria,
  type LogEntry,
} from '@prime/rpc';
import type { GatewayLimits } from '../gatewayLimits.ts';
import { newId } from '../newId.ts';
import type { PendingTransactions } from './pendingTransactions.ts';

/** How many filters there may be, how long an idle one lives, and what one poll may cost. */
export type FilterLimits = Pick<
  GatewayLimits,
  'filtersMax' | 'filtersPerClientMax' | 'filterIdleMs' | 'filterChangesMax' | 'filterBlocksMax'
>;

/** Characters of logs that one poll answers, roughly; at least one log. */
const logsLengthMax = 8 * 1024 * 1024;
/** Whole transactions that one poll answers: each may have 128 KiB. */
const fullTransactionsMax = 64;
/** What a log needs beside its data. */
const logLength = 700;

/** Next thing to tell: a block, and in it a log. */
interface Cursor {
  height: number;
  logIndex: number;
}

interface Filter {
  readonly id: Hex;
  readonly client: string;
  readonly watch: FilterWatch;
  readonly cursor: Cursor;
  /** Of pending transactions. */
  position: number;
  usedAtMs: number;
  /** Polls that meet on one filter take turns. */
  readonly turns: SerialQueue;
}

/**
 * Filters in memory. A filter of blocks or logs is a cursor and nothing else: what came since the last poll is read from the chain,
 * so that it costs no memory however long nobody asks, and nothing can be told twice or left out.
 */
export class FilterService implements Filters {
  /** The one that was used longest ago first. */
  private readonly filters = new Map<Hex, Filter>();
  private readonly countByClient = new Map<string, number>();
  private readonly chain: ChainReader;
  private readonly pending: PendingTransactions;
  private readonly limits: FilterLimits;
  private readonly nowMs: () => number;

  constructor(chain: ChainReader, pending: PendingTransactions, limits: FilterLimits, nowMs: () => number) {
    this.chain = chain;
    this.pending = pending;
    this.limits = limits;
    this.nowMs = nowMs;
  }

  async install(client: Client, watch: FilterWatch): Promise<Hex> {
    this.removeIdle();
    const { filtersMax, filtersPerClientMax } = this.limits;
    const count = this.countByClient.get(client.id) ?? 0;
    if (count >= filtersPerClientMax)
      throw limitExceeded('filtersPerClient', filtersPerClientMax, `the client has ${count} filters`);
    if (this.filters.size >= filtersMax)
      throw limitExceeded('filters', filtersMax, `${this.filters.size} filters are installed`);
    const filter = this.add(client, watch);
    try {
      await this.begin(filter);
    } catch (error) {
      this.remove(filter);
      throw error;
    }
    return filter.id;
  }

  private async begin(filter: Filter): Promise<void> {
    const { watch } = filter;
    if (watch.kind === 'pendingTransactions') {
      await this.pending.retain();
      filter.position = this.pending.position;
    } else {
      const head = (await this.chain.head()).block.header.height;
      const { fromHeight } = watch.kind === 'logs' ? watch.criteria : { fromHeight: 0 };
      filter.cursor.height = Math.max(head + 1, fromHeight);
    }
  }

  /** Counted at once: what follows takes time, in which others come. */
  private add(client: Client, watch: FilterWatch): Filter {
    const filter: Filter = {
      id: newId(),
      client: client.id,
      watch,
      cursor: { height: Number.POSITIVE_INFINITY, logIndex: 0 },
      position: Number.POSITIVE_INFINITY,
      usedAtMs: this.nowMs(),
      turns: new SerialQueue(),
    };
    this.filters.set(filter.id, filter);
    this.countByClient.set(client.id, (this.countByClient.get(client.id) ?? 0) + 1);
    return filter;
  }

  async find(id: Hex): Promise<FilterWatch | null> {
    return this.use(id)?.watch ?? null;
  }

  async changes(id: Hex): Promise<FilterChanges> {
    const filter = this.use(id);
    if (filter === null) throw filterNotFound();
    return filter.turns.run(() => this.poll(filter));
  }

  async uninstall(id: Hex): Promise<boolean> {
    this.removeIdle();
    const filter = this.filters.get(id);
    if (filter === undefined) return false;
    this.remove(filter);
    return true;
  }

  private use(id: Hex): Filter | null {
    this.removeIdle();
    const filter = this.filters.get(id);
    if (filter === undefined) return null;
    filter.usedAtMs = this.nowMs();
    // A Map iterates in order of insertion.
    this.filters.delete(id);
    this.filters.set(id, filter);
    return filter;
  }

  private removeIdle(): void {
    const oldest = this.nowMs() - this.limits.filterIdleMs;
    for (const filter of this.filters.values()) {
      if (filter.usedAtMs > oldest) return;
      this.remove(filter);
    }
  }

  private remove(filter: Filter): void {
    if (!this.filters.delete(filter.id)) return;
    const remaining = (this.countByClient.get(filter.client) ?? 1) - 1;
    if (remaining === 0) this.countByClient.delete(filter.client);
    else this.countByClient.set(filter.client, remaining);
    if (filter.watch.kind === 'pendingTransactions') this.pending.release();
  }

  private async poll(filter: Filter): Promise<FilterChanges> {
    const { watch } = filter;
    switch (watch.kind) {
      case 'pendingTransactions':
        return watch.full
          ? { kind: 'pendingTransactions', hashes: this.pendingHashes(filter, fullTransactionsMax) }
          : { kind: 'hashes', hashes: this.pendingHashes(filter, this.limits.filterChangesMax) };
      case 'blocks':
        return { kind: 'hashes', hashes: await this.goOn(filter.cursor, () => this.blockHashes(filter.cursor)) };
      case 'logs':
        return { kind: 'logs', logs: await this.goOn(filter.cursor, () => this.logs(filter.cursor, watch.criteria)) };
    }
  }

  /** @throws RpcError `RPC_LIMIT_EXCEEDED` when some are gone; the next poll goes on behind them */
  private pendingHashes(filter: Filter, countMax: number): Hash[] {
    const { hashes, missed, next } = this.pending.read(
      filter.position,
      Math.min(countMax, this.limits.filterChangesMax),
    );
    if (missed === 0) {
      filter.position = next;
      return hashes;
    }
    filter.position += missed;
    const { capacity } = this.pending;
    throw limitExceeded('pendingHashes', capacity, `${missed} pending transactions since the last poll are gone`);
  }

  /**
   * Reads from a cursor. Where its block is pruned the caller is told so once, and the next poll goes on with the blocks that come. Not with the oldest that
   * is kept: by then that is pruned as well, and a filter that was asked too rarely would fail for ever.
   */
  private async goOn<T>(cursor: Cursor, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (isPrimeError(error) && error.code === 'RPC_HISTORY_PRUNED') {
        cursor.height = (await this.chain.head()).block.header.height + 1;
        cursor.logIndex = 0;
      }
      throw error;
    }
  }

  private async blockHashes(cursor: Cursor): Promise<Hash[]> {
    const head = (await this.chain.head()).block.header.height;
    const { filterChangesMax, filterBlocksMax } = this.limits;
    const end = Math.min(head, cursor.height + Math.min(filterChangesMax, filterBlocksMax) - 1);
    const hashes: Hash[] = [];
    for (let height = cursor.height; height <= end; height++) {
      const record = await this.chain.blockByHeight(height as Height);
      if (record !== null) hashes.push(record.hash);
    }
    cursor.height = Math.max(cursor.height, end + 1);
    return hashes;
  }

  private async logs(cursor: Cursor, criteria: LogCriteria): Promise<LogEntry[]> {
    const head = (await this.chain.head()).block.header.height;
    const { filterBlocksMax, filterChangesMax } = this.limits;
    const last = Math.min(head, criteria.toHeight, cursor.height + filterBlocksMax - 1);
    if (last < cursor.height) return [];
    const { entries, end } = await this.query(cursor.height, last, criteria);
    const fresh = entries.filter(({ height, logIndex }) => height > cursor.height || logIndex >= cursor.logIndex);
    const count = fittingCount(fresh, filterChangesMax);
    const next = fresh[count];
    cursor.height = next?.height ?? end + 1;
    cursor.logIndex = next?.logIndex ?? 0;
    return fresh.slice(0, count);
  }

  /** The logs of as many blocks as stay within the limit, from the first on; of one block all. */
  private async query(from: number, to: number, { addresses, topics }: LogCriteria) {
    for (let end = to; ; end = Math.floor((from + end) / 2)) {
      const limit = end === from ? Number.MAX_SAFE_INTEGER : this.limits.filterChangesMax;
      const range = { fromHeight: from as Height, toHeight: end as Height };
      try {
        return { entries: await this.chain.logs({ ...range, addresses, topics, limit }), end };
      } catch (error) {
        if (end === from || !isPrimeError(error) || error.code !== 'RPC_LIMIT_EXCEEDED') throw error;
      }
    }
  }
}

/** How many of the logs one answer takes; at least one if there are any. */
function fittingCount(logs: readonly LogEntry[], countMax: number): number {
  let length = 0;
  let count = 0;
  for (const { data } of logs) {
    length += logLength + 2 * data.length;
    if (count === countMax || (count > 0 && length > logsLengthMax)) break;
    count++;
  }
  return count;
}
