import {
  type ActionResult,
  type Candle,
  decodeResultFrames,
  type DomainEvent,
  type OrderKey,
  type RankedValidator,
  type Receipt,
  type TransactionLocation,
} from '@prime/codec';
import type { Hash, Height } from '@prime/primitives';
import {
  type AccountPlaces,
  type AccountQuery,
  type BlockRecord,
  type CandleQuery,
  type ChainReader,
  type ClosedOrderInfo,
  type CommitSummary,
  type EventEntry,
  type EventQuery,
  type Eventual,
  type HeightRange,
  limitExceeded,
  type LogEntry,
  type LogQuery,
} from '@prime/rpc';
import type { ReaderBackend } from './backends.ts';
import type { Inclusions } from './inclusions.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';

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

  head(): BlockRecord {
    return this.blocks.head;
  }

  async nextBaseFee(): Promise<bigint> {
    return this.blocks.nextBaseFee;
  }

  blockByHeight(height: Height): Eventual<BlockRecord | null> {
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

  receipts(height: Height): Eventual<readonly Receipt[]> {
    return height === 0 ? [] : (this.blocks.recent(height)?.results.opened.receipts ?? this.reader.receipts(height));
  }

  blockEvents(height: Height): Eventual<readonly DomainEvent[]> {
    return this.blocks.recent(height)?.events.all ?? this.reader.blockEvents(height);
  }

  actionResults(height: Height): Eventual<readonly ActionResult[]> {
    if (height === 0) return [];
    const recent = this.blocks.recent(height);
    return recent === undefined ? this.reader.actionResults(height) : decodeResultFrames(recent.results.actionResults);
  }

  validators(height: Height): Promise<readonly RankedValidator[]> {
    return this.reader.validators(height);
  }

  async untilIncluded(hash: Hash, timeoutMs: number): Promise<boolean> {
    if (this.blocks.location(hash) !== undefined) return true;
    // A block that came while the answer of the mempool was under way may be in memory no more.
    return (await this.inclusions.wait(hash, timeoutMs)) === 'included' || (await this.location(hash)) !== null;
  }

  location(hash: Hash): Eventual<TransactionLocation | null> {
    return this.blocks.location(hash) ?? this.storedLocation(hash);
  }

  private async storedLocation(hash: Hash): Promise<TransactionLocation | null> {
    const stored = await this.reader.location(hash);
    return stored === null || stored.height > this.blocks.headHeight ? null : stored;
  }

  endedOrder(key: OrderKey): Promise<ClosedOrderInfo | null> {
    return this.reader.endedOrder(key);
  }

  candles(query: CandleQuery): Promise<readonly Candle[]> {
    return this.reader.candles(query);
  }

  accountPlaces({ before, ...query }: AccountQuery): Promise<AccountPlaces> {
    const end = { height: (this.blocks.headHeight + 1) as Height, index: 0 };
    return this.reader.accountPlaces({ before: before.height < end.height ? before : end, ...query });
  }

  async commits({ fromHeight, toHeight }: HeightRange): Promise<readonly CommitSummary[]> {
    const found: Promise<readonly CommitSummary[]>[] = [];
    // What was decided in round 0 is told by the block itself; whose turn failed rounds were, the readers know.
    let from = fromHeight;
    const ask = (end: number): void => {
      if (from < end) found.push(this.reader.commits({ fromHeight: from, toHeight: (end - 1) as Height }));
    };
    for (let height = fromHeight; height <= toHeight; height = (height + 1) as Height) {
      const summary = commitOf(this.blocks.recent(height));
      if (summary === null) continue;
      ask(height);
      found.push(Promise.resolve([summary]));
      from = (height + 1) as Height;
    }
    ask(toHeight + 1);
    return (await Promise.all(found)).flat();
  }

  logs(query: LogQuery): Promise<readonly LogEntry[]> {
    return this.collect('logCount', query, this.blocks.logs(query), (older) => this.reader.logs(older));
  }

  events(query: EventQuery): Promise<readonly EventEntry[]> {
    return this.collect('eventCount', query, this.blocks.events(query), (older) => this.reader.events(older));
  }

  /**
   * @param recent of the blocks in memory, taken before the readers are asked: while they work, blocks move out of memory
   * @throws RpcError `RPC_LIMIT_EXCEEDED`
   */
  private async collect<Query extends HeightRange & { readonly limit: number }, Entry>(
    limitName: string,
    query: Query,
    recent: readonly Entry[],
    stored: (older: Query) => Promise<readonly Entry[]>,
  ): Promise<readonly Entry[]> {
    const { fromHeight, limit } = query;
    const toHeight = Math.min(query.toHeight, this.blocks.oldest - 1) as Height;
    const older = recent.length > limit || toHeight < fromHeight ? [] : await stored({ ...query, toHeight });
    if (older.length + recent.length > limit)
      throw limitExceeded(limitName, limit, `query matches more than ${limit} entries`);
    return older.length === 0 ? recent : [...older, ...recent];
  }
}

/** null for what memory does not tell whole. */
function commitOf(record: BlockRecord | undefined): CommitSummary | null {
  const certificate = record?.certificate ?? null;
  if (record === undefined || certificate === null || certificate.round > 0) return null;
  const { height, timestampMs, proposer } = record.block.header;
  const signers = certificate.signatures.map(({ validator }) => validator);
  return { height, hash: record.hash, timestampMs, proposer, round: 0, signers, missedTurns: [] };
}
