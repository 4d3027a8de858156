import { readActionResults, readEvents, readExecuted, readLocation, readReceipts } from '@prime/chain';
import { type DomainEvent, nativeTransactionHash, type Receipt } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import type { BlockStore } from '@prime/engine';
import type { StateDatabase } from '@prime/evm';
import { type BlockKey, matchesEvent, matchesLog, type ReaderBackend } from '@prime/gateway';
import { assert, type Hash, type Height } from '@prime/primitives';
import {
  blockLogEntries,
  type BlockRecord,
  type EventEntry,
  eventEntries,
  limitExceeded,
  type LogEntry,
} from '@prime/rpc';

/** What a reader needs of the two databases; both are read directly and never written. */
export interface HistorySources {
  readonly blocks: Pick<BlockStore, 'get' | 'heightOf'>;
  readonly database: Pick<StateDatabase, 'getSync'>;
}

export type HistoryReader = Pick<
  ReaderBackend,
  'block' | 'receipts' | 'blockEvents' | 'actionResults' | 'location' | 'logs' | 'events'
>;

/** Answers questions about committed blocks from disk. A block counts once its results are stored. */
export function createHistoryReader({ blocks, database }: HistorySources): HistoryReader {
  const blockAt = (height: Height): BlockRecord | null => {
    const stored = blocks.get(height);
    const executed = readExecuted(database, height);
    if (stored === null || executed === null) return null;
    const { block, hash, certificate } = stored;
    return {
      block,
      hash,
      certificate,
      roots: executed.roots,
      transactionHashes: block.transactions.map((raw) => keccakHex(raw) as Hash),
      actionHashes: block.actions.map(nativeTransactionHash),
    };
  };
  const known = <T>(value: T | null, height: Height): T => {
    assert(value !== null, `block ${height} has no stored results`);
    return value;
  };
  const receiptsAt = (height: Height): readonly Receipt[] => known(readReceipts(database, height), height);
  const eventsAt = (height: Height): readonly DomainEvent[] => known(readEvents(database, height), height);

  return {
    async block(key: BlockKey) {
      const height = 'height' in key ? key.height : blocks.heightOf(key.hash);
      return height === null ? null : blockAt(height);
    },
    receipts: async (height) => receiptsAt(height),
    blockEvents: async (height) => eventsAt(height),
    actionResults: async (height) => known(readActionResults(database, height), height),
    location: async (hash) => readLocation(database, hash),
    async logs(query) {
      const found: LogEntry[] = [];
      for (let height: number = query.fromHeight; height <= query.toHeight; height++) {
        const receipts = receiptsAt(height as Height);
        if (receipts.every(({ logs }) => logs.length === 0)) continue;
        for (const entry of blockLogEntries(known(blockAt(height as Height), height as Height), receipts))
          if (matchesLog(entry, query)) found.push(entry);
        if (found.length > query.limit)
          throw limitExceeded('logCount', query.limit, `query matches more than ${query.limit} logs`);
      }
      return found;
    },
    async events(query) {
      const found: EventEntry[] = [];
      for (let height: number = query.fromHeight; height <= query.toHeight; height++) {
        const events = eventsAt(height as Height);
        if (events.length === 0) continue;
        for (const entry of eventEntries(known(blockAt(height as Height), height as Height), events))
          if (matchesEvent(entry, query)) found.push(entry);
        if (found.length > query.limit)
          throw limitExceeded('eventCount', query.limit, `query matches more than ${query.limit} events`);
      }
      return found;
    },
  };
}
