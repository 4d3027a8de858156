import { hashKey, heightKey, type RecordWrite, statePrefix } from '@prime/codec';
import { pruneState, type StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import { candleDeletions } from './candleHistory.ts';
import { readBlockHashes } from './blockHashes.ts';
import { endedOrderKeys } from './endedOrders.ts';
import { type OldestName, oldestWrite, readLocation, readOldest } from './history.ts';
import { windowDeletions } from './windows.ts';
import { orderHistoryDeletions } from '../orderViews/orderHistory.ts';

/** How much of the past is kept, in blocks up to the head; null is everything. */
export interface Retention {
  readonly states: number | null;
  /** Receipts, logs, events, results, ended orders, candles, lists of accounts and their indexes. */
  readonly blocks: number | null;
}

/** Everything is kept. */
export const archive: Retention = { states: null, blocks: null };

/** Heights that one call gives up at most: one per block is needed, more to catch up after a change of the configuration. */
const heightsMax = 8;

/**
 * Deletes what is too old at a head, or a part of it: the rest follows at the next heads. Each write is one atomic batch that leaves the database whole, so
 * that the process may end at any moment.
 *
 * @param onPruned told how many heights are too old and still there
 */
export function createPruner(
  database: StateDatabase,
  retention: Retention,
  onPruned: (left: number) => void = () => undefined,
): (head: Height) => Promise<void> {
  const oldest = { oldestState: readOldest(database, 'oldestState'), oldestBlock: readOldest(database, 'oldestBlock') };
  const move = async (name: OldestName, to: Height, writes: readonly RecordWrite[]): Promise<void> => {
    await database.write([...writes, oldestWrite(name, to)], { sync: false });
    oldest[name] = to;
  };
  const pruneBlocks = async (block: Height): Promise<void> => {
    // Genesis stays: it is what height 0 shows for ever.
    const from = Math.max(oldest.oldestBlock, 1);
    const to = Math.min(block, from + heightsMax);
    if (to <= from) return;
    const writes = await candleDeletions(database, from as Height, to as Height);
    for (let height = from; height < to; height++) writes.push(...blockDeletions(database, height as Height));
    writes.push(...(await windowDeletions(database, to as Height)));
    await move('oldestBlock', to as Height, writes);
  };
  return async (head) => {
    const state = Math.min(firstKept(head, retention.states), oldest.oldestState + heightsMax) as Height;
    if (state > oldest.oldestState) {
      const nodes = await pruneState(database, oldest.oldestState, state);
      const books = await orderHistoryDeletions(database, oldest.oldestState, state);
      await move('oldestState', state, [...nodes, ...books]);
    }
    const block = firstKept(head, retention.blocks);
    await pruneBlocks(block);
    const statesLeft = firstKept(head, retention.states) - oldest.oldestState;
    onPruned(Math.max(0, statesLeft, block - Math.max(oldest.oldestBlock, 1)));
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
  const keys = [
    ...recordsOfBlock.map((prefix) => heightKey(prefix, height)),
    ...endedOrderKeys(database, height),
    // An action that came again is found where it stands last.
    ...[...transactionHashes, ...actionHashes]
      .filter((hash) => readLocation(database, hash)?.height === height)
      .map((hash) => hashKey(statePrefix.transactionLocation, hash)),
  ];
  return keys.map((key) => ({ key, value: null }));
}
