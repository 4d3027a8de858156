import type { Heap } from '@prime/primitives';
import type { Account } from './accounts.ts';
import type { Exposure } from '../book/exposure.ts';
import type { Journal } from './journal.ts';

/** Somebody who may be deleveraged. */
export interface Counterparty {
  readonly account: Account;
  readonly exposure: Exposure;
}

/** A counterparty in its place. */
export interface Ranked extends Counterparty {
  /** The rank is numerator / denominator; the denominator is >= 0. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The rank, nearly. */
  readonly score: number;
  /** It holds something else by now. */
  isStale: boolean;
}

/** Those who hold something in a market, best ranked first. */
export interface MarketRanking {
  readonly marketId: number;
  /** Of margin, at which they are ranked. */
  readonly price: bigint;
  readonly longs: Heap<Ranked>;
  readonly shorts: Heap<Ranked>;
  readonly ranked: Map<Account, Ranked>;
  /** Changes up to this place are in it. */
  seen: number;
}

/**
 * Who is deleveraged first, by market and side, as rankedAgainst.ts finds out.
 *
 * A ranking is made for the first liquidation of a block that asks for it, out of everybody who holds something. Marks stand still during
 * a block, so later ones look again only at accounts that changed since, and at nobody else: a block pays once for each market and not
 * for each position that it liquidates.
 *
 * @see docs/adr/0136-ranked-once-per-block.md
 */
export class Rankings {
  /** By market; null while nobody asked. */
  markets: Map<number, MarketRanking> | null = null;
  /** Pricing of the state that they are of. */
  pricing = 0;
  /** Accounts that changed since the first of them was made, in order, some more than once. */
  readonly changed: Account[] = [];

  /** Whether changes have to be told. */
  get watching(): boolean {
    return this.markets !== null;
  }

  /** An account changes, and does so again when that is undone. */
  note(account: Account, journal: Journal): void {
    this.changed.push(account);
    journal.push(() => void this.changed.push(account));
  }

  /** Forgets everything: the block is over, or prices moved. */
  reset(): void {
    this.markets = null;
    this.changed.length = 0;
  }
}
