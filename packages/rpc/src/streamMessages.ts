import type { EventEntry, BlockRecord, PriceLevel, SyncProgress } from './ports.ts';
import { formatEvent } from './format/event.ts';
import { formatCommit, formatEthHeader, formatNativeHeader } from './format/block.ts';
import { toQuantity, toTimestamp } from './format/quantity.ts';
import type { Format } from './define.ts';
import type { Receipt } from '@prime/codec';
import type { Address, Hash, Height, Hex, MarketId } from '@prime/primitives';

/** Results of notifications, one function per kind; docs/protocol/streams.md describes them. */

type Json = Record<string, unknown>;

const blockFields = (record: BlockRecord): Json => ({
  block_number: toQuantity(record.block.header.height),
  block_hash: record.hash,
});

export const headMessage = (record: BlockRecord, receipts: readonly Receipt[], format: Format): Json =>
  format === 'eth' ? formatEthHeader(record, receipts) : formatNativeHeader(record);

export const commitMessage = (record: BlockRecord): Json => ({
  ...blockFields(record),
  parent_hash: record.block.header.parentHash,
  proposer: record.block.header.proposer,
  timestamp: toTimestamp(record.block.header.timestampMs),
  timestamp_ms: toQuantity(record.block.header.timestampMs),
  state_root: record.roots.stateRoot,
  commit: formatCommit(record.certificate),
});

/** go-ethereum's: false, or true with how far it is. */
export const syncingMessage = (progress: SyncProgress | null): unknown =>
  progress === null
    ? false
    : {
        syncing: true,
        status: {
          startingBlock: toQuantity(progress.startingBlock),
          currentBlock: toQuantity(progress.currentBlock),
          highestBlock: toQuantity(progress.highestBlock),
        },
      };

export const eventsMessage = (record: BlockRecord, events: readonly EventEntry[]): Json => ({
  ...blockFields(record),
  events: events.map(formatEvent),
});

const accountFields: ReadonlySet<string> = new Set(['maker', 'taker']);
const dataOf = (event: EventEntry): Json => formatEvent(event)['data'] as Json;

/** @param events trades of one market @param hide leaves the accounts out */
export const tradesMessage = (
  record: BlockRecord,
  marketId: MarketId,
  events: readonly EventEntry[],
  hide: boolean,
): Json => ({
  ...blockFields(record),
  market_id: marketId,
  trades: events.map((event) => {
    const { market_id: _, ...trade } = dataOf(event);
    return hide ? Object.fromEntries(Object.entries(trade).filter(([name]) => !accountFields.has(name))) : trade;
  }),
});

/** One side of a trade, as its account sees it. @param side whose */
function fillOf(event: EventEntry, side: 'maker' | 'taker'): Json {
  const { trade_id, market_id, price, size, fees, ...trade } = dataOf(event);
  const own = trade[`${side}_order_id`];
  const takerSide = trade['side'];
  const makerSide = takerSide === 'buy' ? 'sell' : 'buy';
  return {
    trade_id,
    order_id: own,
    market_id,
    side: side === 'taker' ? takerSide : makerSide,
    price,
    size,
    fees,
    liquidity: side,
  };
}

/** @param events trades of which the account is one side, or both */
export const fillsMessage = (record: BlockRecord, account: Address, events: readonly EventEntry[]): Json => ({
  ...blockFields(record),
  address: account,
  fills: events.flatMap((event) => [
    ...(event.data['maker'] === account ? [fillOf(event, 'maker')] : []),
    ...(event.data['taker'] === account ? [fillOf(event, 'taker')] : []),
  ]),
});

/** What a block made of one order. */
export interface OrderUpdate {
  readonly orderId: number;
  readonly marketId: MarketId;
  readonly owner: Address;
  readonly side: string;
  readonly price: bigint;
  readonly size: bigint;
  readonly remaining: bigint;
  readonly tif: string;
  readonly clientId: string | null;
  /** `open` rests in the book; the others are gone from it. */
  readonly status: 'open' | 'filled' | 'cancelled';
  /** Why it was cancelled. */
  readonly reason: string | null;
}

export const ordersMessage = (record: BlockRecord, account: Address, updates: readonly OrderUpdate[]): Json => ({
  ...blockFields(record),
  address: account,
  orders: updates.map((update) => ({
    order_id: toQuantity(update.orderId),
    market_id: update.marketId,
    owner: update.owner,
    side: update.side,
    price: toQuantity(update.price),
    size: toQuantity(update.size),
    filled: toQuantity(update.size - update.remaining),
    remaining: toQuantity(update.remaining),
    tif: update.tif,
    client_id: update.clientId,
    status: update.status,
    reason: update.reason,
  })),
});

/** A book, or what a block changed in one: sizes that levels have now, 0 where one is gone. */
export interface BookMessage {
  readonly type: 'snapshot' | 'update';
  readonly marketId: MarketId;
  readonly height: Height;
  readonly blockHash: Hash;
  /** Height of the newest block that changed the book. */
  readonly sequence: number;
  /** Sequence of the state that an update has to be applied to; null for a snapshot. */
  readonly previous: number | null;
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
  /** Of the book afterwards. */
  readonly checksum: Hex;
}

const levels = (side: readonly PriceLevel[]): Json[] =>
  side.map(({ price, size }) => ({ price: toQuantity(price), size: toQuantity(size) }));

export const bookMessage = (message: BookMessage): Json => ({
  type: message.type,
  market_id: message.marketId,
  block_number: toQuantity(message.height),
  block_hash: message.blockHash,
  sequence: message.sequence,
  ...(message.previous === null ? {} : { previous_sequence: message.previous }),
  bids: levels(message.bids),
  asks: levels(message.asks),
  checksum: message.checksum,
});
