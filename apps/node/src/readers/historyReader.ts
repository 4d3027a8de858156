import {
  findAccountPlaces,
  findEvents,
  findLogs,
  type Places,
  oldestCandle,
  readAccountEvents,
  readAccountOrders,
  readActionResults,
  readBlockHashes,
  readCandles,
  readEndedOrder,
  readEvents,
  readExecuted,
  readLocation,
  readOldest,
  readReceipts,
  rememberingRecords,
} from '@prime/chain';
import type { Candle, RankedValidator } from '@prime/codec';
import type { BlockStore } from '@prime/engine';
import type { StateDatabase } from '@prime/evm';
import { type BlockKey, matchesEvent, matchesLog, type HistoryBackend } from '@prime/gateway';
import { assert, type Height } from '@prime/primitives';
import {
  type AccountPlaces,
  type AccountQuery,
  type BlockRecord,
  type CandleQuery,
  candlesNotKept,
  type HeightRange,
  limitExceeded,
  orderNotKept,
} from '@prime/rpc';
import { createBlockCache } from './blockCache.ts';
import { readCommits } from './commits.ts';
import { refusePruned } from './kept.ts';

/** The newest blocks, which postings do not tell of yet, and some more. */
const rememberedBytes = 12 << 20;

/** What a reader needs of the two databases; both are read directly and never written. */
export interface HistorySources {
  readonly blocks: Pick<BlockStore, 'get' | 'heightOf' | 'validators'>;
  /** Those of genesis: what the block store does not have. */
  readonly firstValidators: readonly RankedValidator[];
  readonly database: Pick<StateDatabase, 'getSync' | 'scan'>;
}

/** Answers questions about committed blocks from disk. A block counts once its results are stored. */
export function createHistoryReader({ blocks, database, firstValidators }: HistorySources): HistoryBackend {
  const cache = createBlockCache(database);
  const remembering = rememberingRecords(database, rememberedBytes);
  const blockAt = (height: Height): BlockRecord | null => {
    const stored = blocks.get(height);
    const executed = readExecuted(database, height);
    if (stored === null || executed === null) return null;
    const { block, hash, certificate } = stored;
    const { roots } = executed;
    return { block, hash, certificate, roots, ...known(readBlockHashes(database, height), height) };
  };
  const stored = <T>(height: Height, value: T | null): T => {
    if (value === null) refusePruned(database, height);
    return known(value, height);
  };
  const validatorsOf = (height: Height): readonly RankedValidator[] | null =>
    height <= 1 ? firstValidators : (blocks.validators(height)?.validators ?? null);
  /** A range is refused before its entries are looked up, and when it was pruned in the meantime. */
  const collect = async <Entry>(query: HeightRange, entries: () => Promise<readonly Entry[]>) => {
    const oldestAsked = Math.max(query.fromHeight, Math.min(1, query.toHeight)) as Height;
    refusePruned(database, oldestAsked);
    const found = await entries();
    refusePruned(database, oldestAsked);
    return found;
  };
  return {
    async block(key: BlockKey) {
      const height = 'height' in key ? key.height : blocks.heightOf(key.hash);
      const found = height === null ? null : blockAt(height);
      if (found === null && 'height' in key) refusePruned(database, key.height);
      return found;
    },
    receipts: async (height) => stored(height, readReceipts(database, height)),
    blockEvents: async (height) => readEvents(database, height),
    actionResults: async (height) => stored(height, readActionResults(database, height)),
    validators: async (height) => stored(height, validatorsOf(height)),
    location: async (hash) => readLocation(database, hash),
    async endedOrder(key) {
      const found = await readEndedOrder(remembering, key);
      if (found !== null) return { ...found.order, closedHeight: found.height };
      const oldest = readOldest(database, 'oldestBlock');
      // Genesis has no orders: from block 1 on is everything.
      if (oldest > 1) throw orderNotKept(oldest);
      return null;
    },
    candles: (query) => candlesOf(database, query),
    accountPlaces: (query) => accountPlacesOf(remembering, query),
    accountEvents: (query) => readAccountEvents(remembering, query),
    accountOrders: (query) => readAccountOrders(remembering, query),
    commits: (range) => collect(range, async () => readCommits(blocks, validatorsOf, range)),
    logs: (query) =>
      collect(query, () =>
        take(
          findLogs(remembering, query, query),
          ({ height, positions }) => cache.logs(height, positions).filter((entry) => matchesLog(entry, query)),
          query.limit,
          'logCount',
        ),
      ),
    events: (query) =>
      collect(query, () =>
        take(
          findEvents(remembering, query.domain, query.kind, query),
          ({ height, positions }) => cache.events(height, positions).filter((entry) => matchesEvent(entry, query)),
          query.limit,
          'eventCount',
        ),
      ),
  };
}

type HistoryDatabase = HistorySources['database'];

/** @throws RpcError `RPC_CANDLES_NOT_KEPT` */
async function candlesOf(database: HistoryDatabase, { mayBeCut, ...query }: CandleQuery): Promise<readonly Candle[]> {
  const oldestMs = (): number => oldestCandle(database, query.interval);
  const fromMs = mayBeCut ? Math.max(query.fromMs, oldestMs()) : query.fromMs;
  const found = fromMs > query.toMs ? [] : await readCandles(database, { ...query, fromMs });
  // Also what was deleted while it was read.
  if (!mayBeCut && fromMs < oldestMs()) throw candlesNotKept(fromMs, oldestMs());
  return found;
}

async function accountPlacesOf(
  database: HistoryDatabase,
  { address, before, count }: AccountQuery,
): Promise<AccountPlaces> {
  const found = await findAccountPlaces(database, address, before, count);
  // What was deleted while it was read is not told of. Block 1 is the first that has anything.
  const oldest = Math.max(1, readOldest(database, 'oldestBlock')) as Height;
  return { places: found.filter(({ height }) => height >= oldest), oldest };
}

function known<T>(value: T | null, height: Height): T {
  assert(value !== null, `block ${height} has no stored results`);
  return value;
}

/** @throws RpcError `RPC_LIMIT_EXCEEDED` as soon as there are more than the limit */
async function take<Entry>(
  places: AsyncIterable<Places>,
  entriesAt: (place: Places) => readonly Entry[],
  limit: number,
  limitName: string,
): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for await (const place of places) {
    found.push(...entriesAt(place));
    if (found.length > limit) throw limitExceeded(limitName, limit, `query matches more than ${limit} entries`);
  }
  return found;
}
