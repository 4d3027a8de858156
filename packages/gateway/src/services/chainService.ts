import { type BlockPlace, decodeResultFrames, type TransactionLocation } from '@prime/codec';
import type { Hash, Height } from '@prime/primitives';
import {
  type BlockRecord,
  type ChainReader,
  type CommitSummary,
  type Eventual,
  type HeightRange,
  limitExceeded,
} from '@prime/rpc';
import type { ReaderBackend } from './backends.ts';
import type { Inclusions } from './inclusions.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';

/** Blocks and what is in them: from memory where they are recent, else from the readers. */
export function createChainService(blocks: RecentBlocks, reader: ReaderBackend, inclusions: Inclusions): ChainReader {
  // The disk may be ahead of the deltas; what is not the head yet does not exist yet.
  const isThere = (height: Height): boolean => height <= blocks.headHeight;
  const upToHead = <Query extends { readonly before: BlockPlace }>(query: Query): Query => {
    const end = { height: (blocks.headHeight + 1) as Height, index: 0 };
    return query.before.height < end.height ? query : { ...query, before: end };
  };
  const storedLocation = async (hash: Hash): Promise<TransactionLocation | null> => {
    const stored = await reader.location(hash);
    return stored !== null && isThere(stored.height) ? stored : null;
  };
  const location = (hash: Hash): Eventual<TransactionLocation | null> => blocks.location(hash) ?? storedLocation(hash);
  return {
    head: () => blocks.head,
    nextBaseFee: async () => blocks.nextBaseFee,
    blockByHeight: (height) => blocks.recordByHeight(height) ?? (isThere(height) ? reader.block({ height }) : null),
    async blockByHash(hash) {
      const found = blocks.recordByHash(hash) ?? (await reader.block({ hash }));
      return found !== null && isThere(found.block.header.height) ? found : null;
    },
    receipts: (height) =>
      height === 0 ? [] : (blocks.recent(height)?.results.opened.receipts ?? reader.receipts(height)),
    blockEvents: (height) => blocks.recent(height)?.events.all ?? reader.blockEvents(height),
    actionResults(height) {
      if (height === 0) return [];
      const recent = blocks.recent(height);
      return recent === undefined ? reader.actionResults(height) : decodeResultFrames(recent.results.actionResults);
    },
    validators: (height) => reader.validators(height),
    async untilIncluded(hash, timeoutMs) {
      if (blocks.location(hash) !== undefined) return true;
      // A block that came while the answer of the mempool was under way may be in memory no more.
      return (await inclusions.wait(hash, timeoutMs)) === 'included' || (await location(hash)) !== null;
    },
    location,
    endedOrder: (key) => reader.endedOrder(key),
    candles: (query) => reader.candles(query),
    accountPlaces: (query) => reader.accountPlaces(upToHead(query)),
    accountEvents: (query) => reader.accountEvents(upToHead(query)),
    accountOrders: (query) => reader.accountOrders(upToHead(query)),
    commits: (range) => commitsOf(blocks, reader, range),
    logs: (query) => withOlder('logCount', olderPart(blocks, query), blocks.logs(query), (older) => reader.logs(older)),
    events: (query) =>
      withOlder('eventCount', olderPart(blocks, query), blocks.events(query), (older) => reader.events(older)),
  };
}

async function commitsOf(
  blocks: RecentBlocks,
  reader: ReaderBackend,
  { fromHeight, toHeight }: HeightRange,
): Promise<readonly CommitSummary[]> {
  const found: Promise<readonly CommitSummary[]>[] = [];
  // What was decided in round 0 is told by the block itself; whose turn failed rounds were, the readers know.
  let from = fromHeight;
  const ask = (end: number): void => {
    if (from < end) found.push(reader.commits({ fromHeight: from, toHeight: (end - 1) as Height }));
  };
  for (let height = fromHeight; height <= toHeight; height = (height + 1) as Height) {
    const summary = commitOf(blocks.recent(height));
    if (summary === null) continue;
    ask(height);
    found.push(Promise.resolve([summary]));
    from = (height + 1) as Height;
  }
  ask(toHeight + 1);
  return (await Promise.all(found)).flat();
}

/** What of a query the blocks in memory do not answer. */
const olderPart = <Query extends HeightRange>(blocks: RecentBlocks, query: Query): Query => ({
  ...query,
  toHeight: Math.min(query.toHeight, blocks.oldest - 1) as Height,
});

/**
 * @param older part of the query, which may be empty
 * @param recent of the blocks in memory, taken before the readers are asked: while they work, blocks move out of memory
 * @throws RpcError `RPC_LIMIT_EXCEEDED`
 */
async function withOlder<Query extends HeightRange & { readonly limit: number }, Entry>(
  limitName: string,
  older: Query,
  recent: readonly Entry[],
  stored: (older: Query) => Promise<readonly Entry[]>,
): Promise<readonly Entry[]> {
  const { fromHeight, toHeight, limit } = older;
  const olderEntries = recent.length > limit || toHeight < fromHeight ? [] : await stored(older);
  if (olderEntries.length + recent.length > limit)
    throw limitExceeded(limitName, limit, `query matches more than ${limit} entries`);
  return olderEntries.length === 0 ? recent : [...olderEntries, ...recent];
}

/** null for what memory does not tell whole. */
function commitOf(record: BlockRecord | undefined): CommitSummary | null {
  const certificate = record?.certificate ?? null;
  if (record === undefined || certificate === null || certificate.round > 0) return null;
  const { height, timestampMs, proposer } = record.block.header;
  const signers = certificate.signatures.map(({ validator }) => validator);
  return { height, hash: record.hash, timestampMs, proposer, round: 0, signers, missedTurns: [] };
}
