import type { ActionResult, DomainEvent, Receipt } from '@prime/codec';
import type { Hash, Height } from '@prime/primitives';
import {
  type BlockRecord,
  type ChainReader,
  type EventEntry,
  type EventQuery,
  type HeightRange,
  limitExceeded,
  type LogEntry,
  type LogQuery,
  type TransactionLocation,
} from '@prime/rpc';
import type { ReaderBackend } from './backends.ts';
import type { Inclusions } from './inclusions.ts';
import type { RecentBlock, RecentBlocks } from './readModel/recentBlocks.ts';

/** Whether a log passes a filter: its address is among the wanted, and each topic position accepts its topic. */
export function matchesLog(
  entry: Pick<LogEntry, 'address' | 'topics'>,
  query: Pick<LogQuery, 'addresses' | 'topics'>,
): boolean {
  if (query.addresses.length > 0 && !query.addresses.includes(entry.address)) return false;
  if (query.topics.length > entry.topics.length) return false;
  return query.topics.every((wanted, position) => {
    const topic = entry.topics[position];
    return wanted === null || wanted.length === 0 || (topic !== undefined && wanted.includes(topic));
  });
}

/** Domain and kind must be equal to the letter. */
export const matchesEvent = (entry: EventEntry, query: Pick<EventQuery, 'domain' | 'kind'>): boolean =>
  (query.domain === null || entry.domain === query.domain) && (query.kind === null || entry.kind === query.kind);

/** Blocks and what is in them: from memory where they are recent, else from the readers. */
export class ChainService implements ChainReader {
  private readonly blocks: RecentBlocks;
  private readonly reader: ReaderBackend;
  private readonly inclusions: Inclusions;

  constructor(blocks: RecentBlocks, reader: ReaderBackend, inclusions: Inclusions) {
    this.blocks = blocks;
    this.reader = reader;
    this.inclusions = inclusions;
  }

  async head(): Promise<BlockRecord> {
    return this.blocks.head;
  }

  async nextBaseFee(): Promise<bigint> {
    return this.blocks.nextBaseFee;
  }

  async blockByHeight(height: Height): Promise<BlockRecord | null> {
    const record = this.blocks.recordByHeight(height);
    if (record !== undefined) return record;
    // The disk may be ahead of the deltas; what is not the head yet does not exist yet.
    return height > this.blocks.headHeight ? null : this.reader.block({ height });
  }

  async blockByHash(hash: Hash): Promise<BlockRecord | null> {
    const record = this.blocks.recordByHash(hash);
    if (record !== undefined) return record;
    const stored = await this.reader.block({ hash });
    return stored === null || stored.block.header.height > this.blocks.headHeight ? null : stored;
  }

  async receipts(height: Height): Promise<readonly Receipt[]> {
    return height === 0 ? [] : (this.blocks.recent(height)?.delta.receipts ?? this.reader.receipts(height));
  }

  async blockEvents(height: Height): Promise<readonly DomainEvent[]> {
    return height === 0 ? [] : (this.blocks.recent(height)?.delta.events ?? this.reader.blockEvents(height));
  }

  async actionResults(height: Height): Promise<readonly ActionResult[]> {
    return height === 0 ? [] : (this.blocks.recent(height)?.delta.actionResults ?? this.reader.actionResults(height));
  }

  async untilIncluded(hash: Hash, timeoutMs: number): Promise<boolean> {
    if (this.blocks.location(hash) !== undefined) return true;
    // A block that came while the answer of the mempool was under way may be in memory no more.
    return (await this.inclusions.wait(hash, timeoutMs)) === 'included' || (await this.location(hash)) !== null;
  }

  async location(hash: Hash): Promise<TransactionLocation | null> {
    const location = this.blocks.location(hash);
    if (location !== undefined) return location;
    const stored = await this.reader.location(hash);
    return stored === null || stored.height > this.blocks.headHeight ? null : stored;
  }

  logs(query: LogQuery): Promise<readonly LogEntry[]> {
    return this.collect('logCount', query, {
      recent: (block) => block.logs.filter((entry) => matchesLog(entry, query)),
      stored: (older) => this.reader.logs({ ...query, ...older }),
    });
  }

  events(query: EventQuery): Promise<readonly EventEntry[]> {
    return this.collect('eventCount', query, {
      recent: (block) => block.events.filter((entry) => matchesEvent(entry, query)),
      stored: (older) => this.reader.events({ ...query, ...older }),
    });
  }

  /**
   * The recent part is taken before the readers are asked: while they work, blocks move out of memory.
   *
   * @throws RpcError `RPC_LIMIT_EXCEEDED`
   */
  private async collect<Entry>(
    limitName: string,
    query: HeightRange & { readonly limit: number },
    sources: {
      readonly recent: (block: RecentBlock) => readonly Entry[];
      readonly stored: (older: HeightRange) => Promise<readonly Entry[]>;
    },
  ): Promise<readonly Entry[]> {
    const { fromHeight, toHeight, limit } = query;
    const { oldest } = this.blocks;
    const recent: Entry[] = [];
    const checked = (count: number): void => {
      if (count > limit) throw limitExceeded(limitName, limit, `query matches more than ${limit} entries`);
    };
    for (let height = Math.max(fromHeight, oldest); height <= toHeight; height++) {
      const block = this.blocks.recent(height as Height);
      if (block !== undefined) recent.push(...sources.recent(block));
      checked(recent.length);
    }
    const olderTo = Math.min(toHeight, oldest - 1) as Height;
    if (olderTo < Math.max(fromHeight, 1)) return recent;
    const stored = await sources.stored({ fromHeight, toHeight: olderTo });
    checked(stored.length + recent.length);
    return [...stored, ...recent];
  }
}
