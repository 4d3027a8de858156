import { hashKey, heightKey, noEvents, type RecordWrite, statePrefix } from '@prime/codec';
import { pruneState, type StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import { accountListWrites } from './accountLists.ts';
import { candleDeletions } from './candleHistory.ts';
import { endedOrderKeys, readEndedOrders } from './endedOrders.ts';
import { accountIndexWrites, eventIndexWrites, logIndexWrites } from './historyIndex.ts';
import {
  type OldestName,
  oldestWrite,
  readActionAccounts,
  readBlockHashes,
  readEventFrames,
  readLocation,
  readOldest,
  readReceipts,
} from './history.ts';
import { orderHistoryDeletions } from '../orderViews/orderHistory.ts';

/** How much of the past is kept, in blocks up to the head; null is everything. */
export interface Retention {
  readonly states: number | null;
  /** Receipts, logs, events, results, ended orders, candles, lists of accounts and their indexes. */
  readonly blocks: number | null;
}

/** Everything is kept. */
export const archive: Retention = { states: null, blocks: null };

/** Deletes the past beside the blocks that go on, in portions. */
export interface Pruner {
  /**
   * Begins to delete what is too old at a head, or a part of it: the rest follows at the next heads. Nothing else may be written to
   * the database before it is {@link settled}. Each write is one atomic batch that leaves the database whole, so that the
   * process may end at any moment.
   */
  start(head: Height): void;
  /** Waits for what was begun. @throws what the database threw meanwhile */
  settled(): Promise<void>;
}

/** Heights that one call gives up at most: one per block is needed, more to catch up after a change of the configuration. */
const heightsMax = 8;

/** @param onPruned told how many heights are too old and still there */
export function createPruner(
  database: StateDatabase,
  retention: Retention,
  onPruned: (left: number) => void = () => undefined,
): Pruner {
  const oldest = { oldestState: readOldest(database, 'oldestState'), oldestBlock: readOldest(database, 'oldestBlock') };
  const move = async (name: OldestName, to: Height, writes: readonly RecordWrite[]): Promise<void> => {
    await database.write([...writes, oldestWrite(name, to)], { sync: false });
    oldest[name] = to;
  };
  const prune = async (head: Height): Promise<void> => {
    const state = Math.min(firstKept(head, retention.states), oldest.oldestState + heightsMax) as Height;
    if (state > oldest.oldestState) {
      const nodes = await pruneState(database, oldest.oldestState, state);
      const books = await orderHistoryDeletions(database, oldest.oldestState, state);
      await move('oldestState', state, [...nodes, ...books]);
    }
    const block = firstKept(head, retention.blocks);
    // Genesis stays: it is what height 0 shows for ever.
    const from = Math.max(oldest.oldestBlock, 1);
    const to = Math.min(block, from + heightsMax);
    if (to <= from) return;
    const writes = await candleDeletions(database, from as Height, to as Height);
    for (let height = from; height < to; height++) writes.push(...blockDeletions(database, height as Height));
    await move('oldestBlock', to as Height, writes);
  };
  const left = (head: Height): number =>
    Math.max(
      0,
      firstKept(head, retention.states) - oldest.oldestState,
      firstKept(head, retention.blocks) - Math.max(oldest.oldestBlock, 1),
    );
  // Nobody waits for it at once, so that a failure is kept for whoever does.
  let running: Promise<{ readonly error: unknown } | null> = Promise.resolve(null);
  return {
    start(head) {
      running = prune(head).then(
        () => {
          onPruned(left(head));
          return null;
        },
        (error: unknown) => ({ error }),
      );
    },
    async settled() {
      const failure = await running;
      if (failure !== null) throw failure.error;
    },
  };
}

const firstKept = (head: Height, count: number | null): Height =>
  (count === null ? 0 : Math.max(0, head - count + 1)) as Height;

const recordsOfBlock = [
  statePrefix.receipts,
  statePrefix.logs,
  statePrefix.events,
  statePrefix.actionResults,
  statePrefix.blockHashes,
  statePrefix.executed,
  statePrefix.movesBefore,
  statePrefix.contractWrites,
] as const;

/** Removes everything that a block's batch wrote beside state. */
function blockDeletions(database: StateDatabase, height: Height): RecordWrite[] {
  const { transactionHashes, actionHashes } = readBlockHashes(database, height) ?? {
    transactionHashes: [],
    actionHashes: [],
  };
  const receipts = readReceipts(database, height) ?? [];
  const events = readEventFrames(database, height) ?? noEvents;
  const keys = [
    ...recordsOfBlock.map((prefix) => heightKey(prefix, height)),
    ...logIndexWrites(height, receipts).map(({ key }) => key),
    ...accountIndexWrites(height, { receipts, actions: [readActionAccounts(database, height)] }).map(({ key }) => key),
    ...eventIndexWrites(height, events).map(({ key }) => key),
    ...accountListWrites(height, events, readEndedOrders(database, height)).map(({ key }) => key),
    ...endedOrderKeys(database, height),
    // An action that came again is found where it stands last.
    ...[...transactionHashes, ...actionHashes]
      .filter((hash) => readLocation(database, hash)?.height === height)
      .map((hash) => hashKey(statePrefix.transactionLocation, hash)),
  ];
  return keys.map((key) => ({ key, value: null }));
}
