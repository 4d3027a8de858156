import type {
  ActionResult,
  ClobParams,
  MarginParams,
  MarketDecimals,
  MarketLimits,
  MarketStatus,
  RiskTier,
} from '@prime/codec';
import { type Address, grown } from '@prime/primitives';
import type { LogRows } from '../records/logRows.ts';
import type { EndRows } from '../records/orderMemory.ts';
import type { OrderRows } from '../state/orderRows.ts';

/** What the front of the order book and its shards tell each other: plain data, most of it in columns of numbers. */

/** Numbers of a column, of which the NaN ones stand for the next of the bigints. */
export interface Mixed {
  readonly numbers: Float64Array;
  readonly bigs: readonly bigint[];
}

/** Items of a shard's work, in the order in which they run; {@link itemNumbers} a row. */
export interface Items {
  /** Action, code, account, id that an order gets (0: none), market or named order, price, size, bits, expiry. */
  readonly numbers: Float64Array;
  readonly clientIds: readonly (readonly [item: number, clientId: string])[];
  /** Of those whose price or size is beyond exact numbers. */
  readonly bigs: readonly (readonly [item: number, price: bigint, size: bigint])[];
}

/** Length of a row of {@link Items.numbers}. */
export const itemNumbers = 9;

/** What an item does, in the second number of its row. */
export const itemCode = { order: 0, cancel: 1, modify: 2 } as const;

/** One block's work of a shard. */
export interface ShardWork {
  readonly height: number;
  readonly timestampMs: number;
  /** Accounts that the shard does not know, by their places. */
  readonly accounts: NewAccounts;
  readonly items: Items;
}

interface NewAccounts {
  readonly from: number;
  readonly addresses: readonly Address[];
}

/** What became of a shard's work. */
export type ShardDone =
  /** Something that a shard can not decide alone came up in a market. Nothing of the work stays. */
  { readonly kind: 'unsure'; readonly market: number } | ShardResult;

/** What a shard made of all its items, in columns; pending until a sync keeps it or a rollback takes it back. */
export interface ShardResult {
  readonly kind: 'done';
  /** {@link doneNumbers} an item: place of the answer or -1, events and ends so far, what became of the id ({@link idUse}). */
  readonly items: Int32Array;
  /** Answers that are no rows. */
  readonly answers: ReadonlyMap<number, ActionResult>;
  readonly log: LogRows;
  readonly ends: EndRows;
  readonly orders: OrderRows;
  readonly positions: PositionRows;
  /** Account, wei that fills brought. */
  readonly gains: Mixed;
  /** Accounts whose orders the shard changed: place, whether they need room, cost, gross; what went costs, too. */
  readonly rooms: Float64Array;
  readonly markets: readonly MarketChange[];
  /** Changes of orders, also what was undone, see blockRoom.ts. */
  readonly changes: number;
}

/** Length of a row of {@link ShardResult.items}. */
export const doneNumbers = 4;
/** The id that was kept for an item: not needed, taken; and of an item that takes none. */
export const idUse = { unused: 0, used: 1, none: 2 } as const;

/** Account, market, lots (or base units as a bigint), entry. */
export type PositionRows = Mixed;

/** What a shard's block left behind in a market. Prices are wei per base unit. */
export interface MarketChange {
  readonly id: number;
  /** Of the block's latest trade. */
  readonly lastPrice: bigint | null;
  readonly traded: boolean;
  /** What the book says about the next mark price. */
  readonly raw: bigint | null;
}

/** What a shard has to know of a market. */
export interface ShardMarket extends MarketDecimals {
  readonly id: number;
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  readonly riskTiers: readonly RiskTier[] | undefined;
  readonly limits: MarketLimits | undefined;
  readonly status: MarketStatus;
  readonly margin: MarginParams | null;
  readonly lastPrice: bigint | null;
  readonly markPrice: bigint | null;
}

/** What a block, or the state that a node starts with, changed for a shard. */
export interface ShardSync {
  readonly height: number;
  readonly accounts: NewAccounts;
  readonly defaultMargin: MarginParams;
  /** Null where they are as they were. */
  readonly params: ClobParams | null;
  readonly markets: readonly ShardMarket[];
  readonly orders: OrderRows;
  readonly positions: PositionRows;
  /** What the ids of the block became, from the first one of the block on; null where they are as they were. */
  readonly ids: { readonly base: number; readonly finals: Float64Array } | null;
}

/** Writes a {@link Mixed}. */
export class MixedWriter {
  #numbers = new Float64Array(64);
  #count = 0;
  readonly #bigs: bigint[] = [];

  number(value: number): void {
    if (this.#count === this.#numbers.length) this.#numbers = grown(this.#numbers, this.#count * 2);
    this.#numbers[this.#count++] = value;
  }

  big(value: bigint): void {
    this.number(Number.NaN);
    this.#bigs.push(value);
  }

  done(): Mixed {
    return { numbers: this.#numbers.subarray(0, this.#count), bigs: this.#bigs };
  }
}
