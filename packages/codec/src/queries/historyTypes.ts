import type { Address, Hash, Height, MarketId, OrderId, TimestampMs } from '@prime/primitives';
import type { AccountEventList, AccountList } from '../outcomes/accountHistory.ts';
import type { ClosedOrder } from '../records/clobRecords.ts';
import type { DomainEvent } from '../types.ts';

/** What is looked for in committed blocks, and where in them it is found. */

/** Place among the transactions of a block and, behind them, its actions: what `transactionIndex` says of either. */
export interface BlockPlace {
  readonly height: Height;
  readonly index: number;
}

/** Where a hash stands in the committed chain; actions of the order book are counted apart from Ethereum transactions. */
export interface TransactionLocation {
  readonly kind: 'transaction' | 'action';
  readonly height: Height;
  /** Among those of its kind. */
  readonly index: number;
}

/** Which logs are wanted, of whatever blocks. */
export interface LogMatch {
  /** Empty matches every address. */
  readonly addresses: readonly Address[];
  /** Position by position the accepted topics; null or an empty list accepts any, also none. */
  readonly topics: readonly (readonly Hash[] | null)[];
}

/** What an order is looked for by. */
export type OrderKey =
  | { readonly orderId: OrderId }
  /** The live order with it, else the latest that had it. */
  | { readonly owner: Address; readonly clientId: string };

/** A page of a list of an account's history, from the newest entry backwards. */
export interface AccountListQuery<List extends AccountList = AccountList> {
  readonly list: List;
  readonly address: Address;
  /** null is every market; else entries that have none are left out. */
  readonly marketId: MarketId | null;
  /** Block times, both included, ms; null is without that end. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only what stands in front of this place; what is behind the head is not told. */
  readonly before: BlockPlace;
  /** Most entries that are told. */
  readonly count: number;
}

/** What a node has of a list. */
export interface AccountListPage<Entry> {
  /** The last first. */
  readonly entries: readonly Entry[];
  /** Place in front of which the next page is; null where there is none. A page may be short, or empty, and have a next one. */
  readonly next: BlockPlace | null;
  /** Oldest block that the node can tell of: the oldest one that it keeps, genesis aside. */
  readonly oldest: Height;
  /** Its time; where it is yet to come, the millisecond behind the newest block. */
  readonly oldestMs: number;
}

/** An event of a list, with its place in the chain and what only other events of its block tell. */
export interface ListedEvent {
  readonly height: Height;
  /** Among the events of the block. */
  readonly index: number;
  readonly timestampMs: TimestampMs;
  /** Hash of the action that caused it, or of the transaction whose contract asked for it; null for what the block itself does. */
  readonly transactionHash: Hash | null;
  readonly event: DomainEvent;
  /** Of a trade: what the maker paid, wei; negative is a rebate. */
  readonly makerFee: bigint;
  /** Whether a trade closed a position in liquidation. */
  readonly isLiquidation: boolean;
}

/** An order that ended, and when. */
export interface ListedOrder {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  readonly order: ClosedOrder;
}

/** Queries of lists that are made of events. */
export type AccountEventQuery = AccountListQuery<AccountEventList>;
