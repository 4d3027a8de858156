import {
  type AccountEventQuery,
  type AccountListPage,
  type AccountListQuery,
  accountLists,
  type BlockPlace,
  decodeClosedOrderAt,
  type DomainEvent,
  eventAt,
  eventFieldReader,
  frameAt,
  frameCount,
  type ListedEvent,
  type ListedOrder,
  placesOfKind,
  postingLists,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type Hash, type Height, hexToBytes, type TimestampMs } from '@prime/primitives';
import { readActionHash } from './blockHashes.ts';
import { readEndedOrders } from './endedOrders.ts';
import { readEventFrames, readExecuted, readLastApplied, readOldest } from './history.ts';
import { placesDown } from './historyIndex.ts';

/** Pages of what happened to an account, from the newest entry backwards. */

type Reads = Pick<StateDatabase, 'getSync'>;
type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

/** Places that one page looks at, whatever it is to show of them. */
const placesMax = 10_000;
/** Bytes of blocks that one page reads: blocks are read whole for one entry. */
const bytesMax = 64 << 20;

/** A page of a list that is made of events. */
export const readAccountEvents = (database: Scans, query: AccountEventQuery): Promise<AccountListPage<ListedEvent>> =>
  pageOf(database, query, (height) => openEvents(database, height));

/** A page of the orders of an account that ended. */
export const readAccountOrders = (
  database: Scans,
  query: AccountListQuery<'orders'>,
): Promise<AccountListPage<ListedOrder>> => pageOf(database, query, (height) => openOrders(database, height));

/** What a block has, of which single entries are taken. */
interface OpenBlock<Entry> {
  readonly bytes: number;
  /** @param index that the list names */
  entry(index: number): { readonly marketId: unknown; readonly shown: Entry };
}

type Open<Entry> = (height: Height) => OpenBlock<Entry> | null;

async function pageOf<Entry extends { readonly height: Height }>(
  database: Scans,
  query: AccountListQuery,
  open: Open<Entry>,
): Promise<AccountListPage<Entry>> {
  const entries: Entry[] = [];
  const blocks = new OneBlock(open);
  let next: BlockPlace | null = null;
  let last: BlockPlace | null = null;
  let places = 0;
  for await (const place of placesOf(database, query, heightsOf(database, query))) {
    if (last !== null && (entries.length >= query.count || places >= placesMax || blocks.bytes >= bytesMax)) {
      next = last;
      break;
    }
    const found = blocks.at(place.height)?.entry(place.index);
    // Deleted since the place was read, as is all before it.
    if (found === undefined) break;
    if (query.marketId === null || query.marketId === found.marketId) entries.push(found.shown);
    last = place;
    places++;
  }
  // What was deleted while it was read is not told of.
  const oldest = oldestOf(database);
  return {
    entries: entries.filter(({ height }) => height >= oldest),
    next: next !== null && next.height >= oldest ? next : null,
    oldest,
    oldestMs: timeOf(database, oldest) ?? headTimeOf(database) + 1,
  };
}

/** The block that was asked for last, and how much was read for all of them. */
class OneBlock<Entry> {
  bytes = 0;
  readonly #open: Open<Entry>;
  #height: Height | null = null;
  #block: OpenBlock<Entry> | null = null;

  constructor(open: Open<Entry>) {
    this.#open = open;
  }

  at(height: Height): OpenBlock<Entry> | null {
    if (height === this.#height) return this.#block;
    this.#height = height;
    this.#block = this.#open(height);
    this.bytes += this.#block?.bytes ?? 0;
    return this.#block;
  }
}

/** Block 1 is the first that has anything. */
const oldestOf = (database: Reads): Height => Math.max(1, readOldest(database, 'oldestBlock')) as Height;

const timeOf = (database: Reads, height: Height): TimestampMs | null =>
  readExecuted(database, height)?.timestampMs ?? null;

const headTimeOf = (database: Reads): number => timeOf(database, readLastApplied(database)!)!;

interface Heights {
  readonly from: number;
  /** Not included. */
  readonly end: number;
}

/** Heights of the times that are asked for, as far as they are kept and in front of the place. */
function heightsOf(database: Reads, { fromMs, toMs, before }: AccountListQuery): Heights {
  const from = oldestOf(database);
  const end = Math.max(from, Math.min(before.height, readLastApplied(database)!) + 1);
  return {
    from: fromMs === null ? from : firstHeight(database, { from, end }, (timeMs) => timeMs >= fromMs),
    end: toMs === null ? end : firstHeight(database, { from, end }, (timeMs) => timeMs > toMs),
  };
}

/** The first height whose time is late enough, or the end: times of blocks ascend. */
function firstHeight(database: Reads, { from, end }: Heights, isLate: (timeMs: number) => boolean): number {
  let [low, high] = [from, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const timeMs = timeOf(database, middle as Height);
    // Deleted meanwhile: what is kept is above.
    if (timeMs !== null && isLate(timeMs)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Places of a list, the last first. */
function placesOf(
  database: Scans,
  { list, address, before }: AccountListQuery,
  { from, end }: Heights,
): AsyncIterable<BlockPlace> {
  const key = { list: postingLists.accountLists + accountLists[list], term: hexToBytes(address) };
  // All of the last block, where it is in front of the one that is asked for.
  const until = end <= before.height ? { height: end as Height, index: 0 } : before;
  return placesDown(database, key, from, until);
}

function openOrders(database: Reads, height: Height): OpenBlock<ListedOrder> | null {
  const record = readEndedOrders(database, height);
  const timestampMs = timeOf(database, height);
  if (record === null || timestampMs === null) return null;
  return {
    bytes: record.length,
    entry(index) {
      const order = decodeClosedOrderAt(record, index);
      return { marketId: order.marketId, shown: { height, timestampMs, order } };
    },
  };
}

function openEvents(database: Reads, height: Height): OpenBlock<ListedEvent> | null {
  const frames = readEventFrames(database, height);
  const timestampMs = timeOf(database, height);
  if (frames === null || timestampMs === null) return null;
  let liquidations: ReadonlySet<unknown> | null = null;
  const isLiquidation = ({ kind, data }: DomainEvent): boolean => {
    if (kind !== 'trade') return false;
    liquidations ??= liquidationsOf(frames);
    return liquidations.has(data['taker_order_id']);
  };
  return {
    bytes: frames.length,
    entry(index) {
      const event = eventAt(frames, index);
      const shown = {
        height,
        index,
        timestampMs,
        transactionHash: causeOf(database, height, event),
        event,
        makerFee: makerFeeOf(frames, index, event),
        isLiquidation: isLiquidation(event),
      };
      return { marketId: event.data['market_id'], shown };
    },
  };
}

const liquidatedOrder = eventFieldReader('liquidation', ['order_id']);

/** Orders as whose taker positions in liquidation were closed in a block. */
const liquidationsOf = (frames: Uint8Array): ReadonlySet<unknown> =>
  new Set(placesOfKind(frames, 'liquidation').flatMap((place) => liquidatedOrder(frameAt(frames, place))));

/** The fees of a trade are told right behind it, where it cost anything. */
function makerFeeOf(frames: Uint8Array, index: number, { kind, data }: DomainEvent): bigint {
  if (kind !== 'trade' || index + 1 === frameCount(frames)) return 0n;
  const behind = eventAt(frames, index + 1);
  return behind.kind === 'trade_fees' && behind.data['trade_id'] === data['trade_id']
    ? (behind.data['maker_fee'] as bigint)
    : 0n;
}

function causeOf(database: Reads, height: Height, { actionIndex, contract }: DomainEvent): Hash | null {
  if (contract !== undefined) return contract.transactionHash;
  return actionIndex === null ? null : readActionHash(database, height, actionIndex);
}
