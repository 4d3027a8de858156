import { toQuantity, type Address, type MarketId } from '@prime/primitives';
import type { Candle, CandleInterval, Receipt } from '@prime/codec';
import type { EventEntry, BlockRecord, SyncProgress } from '../ports/ports.ts';
import { formatEvent } from '../format/event.ts';
import { fillsOfEvent, isFillOf } from '../format/fill.ts';
import { formatCommit, formatEthHeader, formatNativeHeader } from '../format/block.ts';
import { toTimestamp } from '../format/quantity.ts';
import { type Format, type Json } from '../format/format.ts';
import { formatCandle } from '../orders/candles.ts';

/** Results of notifications, one function per kind; docs/protocol/streams.md describes them. */

/** The block that a message is about. */
export const blockFields = ({ block: { header }, hash }: BlockRecord): Json => ({
  block_number: toQuantity(header.height),
  block_hash: hash,
  time_ms: toQuantity(header.timestampMs),
});

/** Payload of `newHeads`. In Ethereum's shape the receipts give the logs' bloom; the native shape needs none. */
export const headMessage = (record: BlockRecord, receipts: readonly Receipt[], format: Format): Json =>
  format === 'eth' ? formatEthHeader(record, receipts) : formatNativeHeader(record);

/** Payload of `commits`: enough to verify that the block was decided. */
export const commitMessage = (record: BlockRecord): Json => ({
  block_number: toQuantity(record.block.header.height),
  block_hash: record.hash,
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

/** Payload of `domainEvents`: those of one block that the subscriber asked for and may see. */
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

/** A candle as it is after a block that changed it. */
export const candleMessage = (
  record: BlockRecord,
  { marketId, interval }: { readonly marketId: MarketId; readonly interval: CandleInterval },
  candle: Candle,
): Json => ({
  ...blockFields(record),
  market_id: marketId,
  interval,
  candle: formatCandle(candle, interval),
});

/** What the events of a block tell about its trades besides the trades themselves. */
interface TradeContext {
  /** Orders as whose taker positions in liquidation were closed. */
  readonly liquidations: ReadonlySet<unknown>;
  /** Wei that makers paid, by trade. */
  readonly makerFees: ReadonlyMap<unknown, bigint>;
}

function contextOf(events: readonly EventEntry[]): TradeContext {
  const liquidations = new Set<unknown>();
  const makerFees = new Map<unknown, bigint>();
  for (const { kind, data } of events) {
    if (kind === 'liquidation') liquidations.add(data['order_id']);
    else if (kind === 'trade_fees') makerFees.set(data['trade_id'], data['maker_fee'] as bigint);
  }
  return { liquidations, makerFees };
}

/** What a block did to an account's positions, in its order. @param events of the block */
export function fillsOf(account: Address, events: readonly EventEntry[]): readonly Json[] {
  if (!events.some((event) => isFillOf(account, event))) return [];
  const { liquidations, makerFees } = contextOf(events);
  return events.flatMap((event) =>
    fillsOfEvent(account, event, {
      index: event.index,
      isLiquidation: liquidations.has(event.data['taker_order_id']),
      makerFee: makerFees.get(event.data['trade_id']) ?? 0n,
    }),
  );
}

/** Payload of `fills`: those of one account in one block, as {@link fillsOf} makes them. */
export const fillsMessage = (record: BlockRecord, account: Address, fills: readonly Json[]): Json => ({
  ...blockFields(record),
  address: account,
  fills,
});

/** What a block made of one order, or of a position that it closed without its owner's order. */
export interface OrderUpdate {
  /** null for the position of somebody else that one in liquidation was closed against. */
  readonly orderId: number | null;
  readonly marketId: MarketId;
  readonly owner: Address;
  readonly side: string;
  /** null where any price was good. */
  readonly price: bigint | null;
  /** What it was made for, less what modify took off; once it rests also less what was decremented. */
  readonly size: bigint;
  readonly filled: bigint;
  readonly remaining: bigint;
  /** Base units that its owner took off in this block, without changing its id. */
  readonly reduced: bigint;
  /** Base units that self-trade prevention took off in this block. */
  readonly decremented: bigint;
  readonly tif: string | null;
  readonly clientId: string | null;
  /** `open` rests in the book; the others are gone from it. */
  readonly status: 'open' | 'filled' | 'cancelled';
  /** Why it was cancelled. */
  readonly reason: string | null;
  readonly kind: 'order' | 'liquidation' | 'deleveraging';
}

/** Payload of `orders`: what one block did to the orders of one account. */
export const ordersMessage = (record: BlockRecord, account: Address, updates: readonly OrderUpdate[]): Json => ({
  ...blockFields(record),
  address: account,
  orders: updates.map((update) => ({
    order_id: update.orderId === null ? null : toQuantity(update.orderId),
    market_id: update.marketId,
    owner: update.owner,
    side: update.side,
    price: update.price === null ? null : toQuantity(update.price),
    size: toQuantity(update.size),
    filled: toQuantity(update.filled),
    remaining: toQuantity(update.remaining),
    reduced: toQuantity(update.reduced),
    decremented: toQuantity(update.decremented),
    tif: update.tif,
    client_id: update.clientId,
    status: update.status,
    reason: update.reason,
    kind: update.kind,
  })),
});
