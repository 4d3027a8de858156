import { type BotFill, type BotFunding, createLedger, type FillLedger, type UnsettledFunding } from '../ledger.ts';
import type { AccountView } from '../market.ts';

/** How far profit has been counted. What a bot needs of it to count on after its process died. */
export interface ProfitRecord {
  /** Block from whose account on it counts. */
  readonly since: bigint;
  /** What happened up to this block is counted. */
  readonly blockNumber: bigint;
  /** Base units; negative is short. */
  readonly position: bigint;
  /** Profit less what the position is worth, wei: at a price the profit is `cash + position * price`. */
  readonly cash: bigint;
}

/** Counts profit from fills and funding, from the first price on or on from where an earlier process came to. Each block counts once. */
export class ProfitCount {
  #ledger: FillLedger | null = null;
  /** Whether it is known what the position was worth when the count began. */
  #isPriced = false;
  #lastPrice: bigint | null = null;
  #since: bigint | null = null;
  /** Block up to which an earlier process had counted. */
  #resumedAt = -1n;
  #waitsForEarlier = false;
  /** Fills are missing, so that the record would be wrong from here on. */
  #isLost = false;
  #record: ProfitRecord | null = null;
  /** Never in the record: what is settled later would count twice. */
  #unsettled: UnsettledFunding | null = null;
  /** Newest block that settled funding. */
  #settledAt = -1n;

  get ledger(): FillLedger | null {
    return this.#ledger;
  }

  /** As of the newest block at which fills and chain agreed; null before the first. */
  get record(): ProfitRecord | null {
    return this.#record;
  }

  /** Counts on from there. Before any account is told. */
  resume(record: ProfitRecord): void {
    this.#ledger = createLedger(record.position, 0n, record.cash);
    this.#isPriced = true;
    this.#since = record.since;
    this.#resumedAt = record.blockNumber;
    this.#waitsForEarlier = true;
    this.#record = record;
  }

  /**
   * The account was read, and fills before it are not told.
   *
   * @param price null where nobody knows, then the position counts from the first one on
   * @param earlier of a count that was resumed: the fills since its record; null where nobody can tell all of them
   * @returns false where the count cannot go on, because fills are missing that it would need
   */
  restart(view: AccountView, price: bigint | null, earlier: readonly BotFill[] | null): boolean {
    if (this.#waitsForEarlier) {
      this.#waitsForEarlier = false;
      this.#isLost = earlier === null;
      this.apply(earlier ?? []);
      return !this.#isLost;
    }
    const at = price ?? this.#lastPrice;
    const before = this.#isPriced && at !== null ? (this.#ledger?.profit(at) ?? 0n) : 0n;
    this.#ledger = createLedger(view.position, at ?? 0n, before);
    this.#isPriced = at !== null;
    return true;
  }

  /** Each fill is told once. Those that an earlier process counted may come again, from a node that is behind. */
  apply(fills: readonly BotFill[]): void {
    for (const fill of fills) if (fill.blockNumber > this.#resumedAt) this.#ledger?.apply(fill);
  }

  /** Before the account of their block is told. Each is told once, with the same exception as fills. */
  settle(payments: readonly BotFunding[]): void {
    for (const payment of payments) {
      if (payment.blockNumber > this.#settledAt) this.#settledAt = payment.blockNumber;
      if (payment.blockNumber > this.#resumedAt) this.#ledger?.settle(payment);
    }
  }

  /** What the chain owes the position, as of any block, also one that was not told yet. */
  owe(unsettled: UnsettledFunding): void {
    this.#unsettled = unsettled;
  }

  /** Compares with the chain, which is surely as told, and notes how far it has come. @returns false where it disagrees */
  compare({ blockNumber, position }: AccountView): boolean {
    const ledger = this.#ledger;
    if (ledger === null || this.#isLost || blockNumber < this.#resumedAt) return true;
    if (ledger.position !== position) return false;
    if (!this.#isPriced) return true;
    this.#since ??= blockNumber;
    this.#record = { since: this.#since, blockNumber, position, cash: ledger.profit(0n) };
    return true;
  }

  /** @returns profit at that price; null before it is known what to count from */
  at(price: bigint): bigint | null {
    this.#lastPrice = price;
    if (this.#ledger === null) return null;
    if (!this.#isPriced) this.#ledger = createLedger(this.#ledger.position, price);
    this.#isPriced = true;
    return this.#ledger.profit(price) + this.#owed;
  }

  /** What was owed before the newest settlement is in the ledger already. */
  get #owed(): bigint {
    return this.#unsettled === null || this.#unsettled.blockNumber < this.#settledAt ? 0n : this.#unsettled.amount;
  }
}
