import type { MarginAccount } from '../types/account.ts';
import type { Candle, CandleInterval, Ticker } from '../types/market.ts';
import type { OpenOrder, OrderEndReason, PriceLevel, Trade } from '../types/order.ts';
import type { Address, Hash, Hex, Price, Side, Size, TimeInForce, Wei } from '../types/primitives.ts';

/** A place in the chain. Blocks are final. */
export interface BlockPosition {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  /** Of the block, since 1970. */
  readonly timeMs: number;
}

/** A trade with its block. After the privacy fork a public node leaves out who traded: then maker and taker are null. */
export interface StreamedTrade extends Omit<Trade, 'maker' | 'taker'>, BlockPosition {
  readonly marketId: number;
  readonly maker: Address | null;
  readonly taker: Address | null;
}

/** What changed a position of an account. */
export interface Fill extends BlockPosition {
  /** Place of its event among those of the block, from 0: with the block it names the fill. */
  readonly eventIndex: number;
  /** null for deleveraging, which is no trade. */
  readonly tradeId: number | null;
  /** null where the position of somebody else was closed against one in liquidation. */
  readonly orderId: number | null;
  readonly marketId: number;
  /** The account's own. */
  readonly side: Side;
  /** null for deleveraging. */
  readonly price: Price | null;
  readonly size: Size;
  /** What the size was bought or sold for. */
  readonly value: Wei;
  /** What the account paid; negative is a rebate. */
  readonly fee: Wei;
  /** null for deleveraging. */
  readonly liquidity: 'maker' | 'taker' | null;
  /** liquidation: a trade whose taker was a position in liquidation, whoever's it was. */
  readonly kind: 'trade' | 'liquidation' | 'deleveraging';
}

/** What a block made of an order, or of a position that it closed without its owner's order. One per order and block. */
export interface OrderUpdate extends BlockPosition {
  /** null for the other side of deleveraging. */
  readonly orderId: number | null;
  readonly marketId: number;
  readonly owner: Address;
  readonly side: Side;
  /** null where any price was good. */
  readonly price: Price | null;
  /** filled + remaining of an order that rests or did; one that came and went has `decremented` in it too. */
  readonly size: Size;
  /** What traded, of all blocks. */
  readonly filled: Size;
  readonly remaining: Size;
  /** What a modify took off in this block, without a new id. */
  readonly reduced: Size;
  /** What self-trade prevention took off in this block. */
  readonly decremented: Size;
  readonly tif: TimeInForce | null;
  readonly clientId: Hex | null;
  /** open rests in the book; the others are gone from it. */
  readonly status: 'open' | 'filled' | 'cancelled';
  /** Why it was cancelled, else null. */
  readonly reason: OrderEndReason | 'deleveraged' | null;
  readonly kind: 'order' | 'liquidation' | 'deleveraging';
}

/** A whole order book after a block. Best price first on both sides. */
export interface OrderBookState extends BlockPosition {
  readonly marketId: number;
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
  /** Height of the newest block that changed it. */
  readonly sequence: number;
  /** CRC-32 of the best 25 levels of each side, checked. */
  readonly checksum: Hex;
}

/** An order as a book shows it. */
export interface BookOrder extends PriceLevel {
  readonly orderId: number;
}

/** A whole order book after a block, order by order. Best price first on both sides, at one price the order that trades first. */
export interface BookOrdersState extends BlockPosition {
  readonly marketId: number;
  readonly bids: readonly BookOrder[];
  readonly asks: readonly BookOrder[];
  /** Height of the newest block that changed it. */
  readonly sequence: number;
  /** CRC-32 of the first 25 orders of each side, checked. */
  readonly checksum: Hex;
}

/** Orders that are new or have another size; size 0 is an order that is gone. */
export interface BookOrdersChange {
  readonly bids: readonly BookOrder[];
  readonly asks: readonly BookOrder[];
}

/** Best bid and best ask of a market after a block; null where a side is empty. */
export interface BestPrices extends BlockPosition {
  readonly marketId: number;
  readonly bid: PriceLevel | null;
  readonly ask: PriceLevel | null;
}

/** What a market does, as of a block. */
export interface StreamedTicker extends Ticker, BlockPosition {}

/** An account with its margin and positions, as of a block. */
export interface StreamedMargin extends MarginAccount, BlockPosition {}

/** A candle as far as it has come. */
export interface StreamedCandle extends Candle {
  readonly marketId: number;
  readonly interval: CandleInterval;
}

/** Levels that are new or have another size; size 0 is a level that is gone. */
export interface BookChange {
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

/** A position as a followed account keeps it: no prices, so no profit. */
export interface HeldPosition {
  readonly marketId: number;
  /** Negative is short, never 0. */
  readonly size: Size;
  /** What it was opened for, never negative. */
  readonly entry: Wei;
}

/** A fill as the followed account sees it. `cause` is why its own position changed. */
export interface AccountFill extends Omit<Fill, 'kind'> {
  readonly cause: 'order' | 'liquidation' | 'deleveraging';
}

/** Funding of a position that was settled into collateral. */
export interface FundingPayment extends BlockPosition {
  readonly marketId: number;
  /** The position that it was for; negative is short. */
  readonly size: Size;
  /** Negative was paid. */
  readonly amount: Wei;
}

/** Blocks of which a stream could not tell what they held. */
export interface LostGap {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
  /** pruned: no node keeps it. hidden: the privacy fork forbids to ask. disorder: a node sent it behind later blocks. */
  readonly reason: 'pruned' | 'hidden' | 'disorder';
  /** Oldest block that is kept; null where no node said so. */
  readonly oldestBlock: bigint | null;
}

/** Blocks that were delivered late because the reader was slow. */
export interface Overflow {
  /** First block that did not find room; the stream goes on with it. */
  readonly fromBlock: bigint;
  /** Room of the queue, in entries. */
  readonly queueMax: number;
}

/** Where an account as it was followed and the chain disagree; null is absent. */
export type AccountDifference =
  | { readonly what: 'collateral'; readonly local: Wei; readonly chain: Wei }
  | {
      readonly what: 'position';
      readonly marketId: number;
      readonly local: HeldPosition | null;
      readonly chain: HeldPosition | null;
    }
  | {
      readonly what: 'order';
      readonly orderId: number;
      readonly local: OpenOrder | null;
      readonly chain: OpenOrder | null;
    };

/**
 * How far a stream can be trusted now: `syncing` before its first message and while it fetches what it missed, `live` when it tells all that
 * the node knows, `interrupted` without a connection, `ended` when nothing more comes.
 */
export type StreamStatus = 'syncing' | 'live' | 'interrupted' | 'ended';
