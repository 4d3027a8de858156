import type { Account } from './accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import type { Market } from './markets.ts';
import type { OrderRows } from './orderRows.ts';

/** What a state has to know, and to leave to others, when its markets are spread: the front's and those of shards. @see docs/adr/0116-matching-pool.md */
export interface Sharing {
  /** Positions that changed since the last commit. */
  readonly positions: Map<Exposure, Account>;
  /** Orders that shards changed in the open block, as they are after it. */
  orders: readonly OrderRows[];
  /** What the books of shards say about the next mark prices, by market. */
  readonly rawPrices: Map<Market, bigint | null>;
  /** The exact margin of an account is looked at. */
  judged(account: Account): void;
  /** Takes over the question whether there is room; null: the account's own room answers it. */
  readonly takeRoom: ((account: Account, cost: number, gross: number) => boolean) | null;
}
