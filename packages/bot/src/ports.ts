import type { PlannedItem } from './execution/planQuotes.ts';
import type { BotFill, BotFunding, UnsettledFunding } from './ledger.ts';
import type { AccountView, Book, MarketRules } from './market.ts';

/** What became of what was sent. It is told only when it is certain. */
export type Outcome =
  /** In a block; each refused item with the kind of its refusal. */
  | { readonly kind: 'included'; readonly blockNumber: bigint; readonly refusals: readonly string[] }
  /**
   * In no block, and never will be. `reason`: what was said, for people. `isFatal`: the same would be refused again, such as for a key that
   * may not sign.
   */
  | { readonly kind: 'refused'; readonly refusal: string; readonly reason: string; readonly isFatal: boolean }
  /** Its time was over before a block took it; `blockNumber` is one that is later than that time. */
  | { readonly kind: 'expired'; readonly blockNumber: bigint };

/** What a venue tells. Everything comes in the order of the chain. */
export interface VenueListener {
  /** A book that is right. */
  onBook(book: Book, blockNumber: bigint): void;
  /** Whether the newest book that was told is the one that the chain has. */
  onBookStatus(isLive: boolean): void;
  /** The account after a block. `fills` are those of the block. `isSure`: it is what the chain has. */
  onAccount(view: AccountView, told: { readonly isSure: boolean; readonly fills: readonly BotFill[] }): void;
  /** Funding that was settled, before the account of its block is told; before the first account that of the blocks that the venue was told to begin with. */
  onFunding(payments: readonly BotFunding[]): void;
  /** What the position is owed of funding, read now and then. */
  onUnsettledFunding(unsettled: UnsettledFunding): void;
  /**
   * The account was read anew, because fills are missing or what was followed was wrong.
   *
   * @param earlier at the first time, the fills from the block that the venue was told to begin with up to this account; null where
   *   nobody can tell all of them
   */
  onAccountReset(view: AccountView, why: string, earlier: readonly BotFill[] | null): void;
  /** For the log; the venue goes on by itself. `isChecksum`: a book that failed its checksum, and was not shown. */
  onTrouble(message: string, code: string): void;
}

/** Where a bot trades: a network, or a simulation of one. */
export interface Venue {
  readonly market: MarketRules;
  /** Open orders that an account may have. */
  readonly openOrdersMax: number;
  /** Begins to tell. */
  start(listener: VenueListener): void;
  /** Newest block whose account is known; null before the first. */
  readonly head: bigint | null;
  /**
   * Waits until nothing that an earlier process of this bot sent can be carried out any more.
   *
   * @returns a block from which on the account shows all that it did
   */
  fence(): Promise<bigint>;
  /** Sends a batch. After `expiresAtMs` of block time it is not carried out. Never rejects. */
  submit(items: readonly PlannedItem[], expiresAtMs: number): Promise<Outcome>;
  /** Cancels all orders of the account in the market. Never rejects. */
  cancelAll(expiresAtMs: number): Promise<Outcome>;
  /** Nothing is told any more. */
  stop(): void;
}

/** Where a fair price comes from. */
export interface PriceSource {
  /** Wei for one base unit; null while it is not known or too old. @param book without the account's own orders */
  price(book: Book, nowMs: number): bigint | null;
  stop(): void;
}

/** A file for what has to outlive the process. */
export interface StateFile {
  /** For messages. */
  readonly path: string;
  /** Null where there is none. @throws Error where it can not be read */
  read(): string | null;
  /** Whenever the machine fails, the file has the old text or the new one; the new one once this returns. @throws Error */
  write(text: string): void;
}

/** Time and timers, so that a test brings its own. */
export interface Clock {
  /** ms since 1970. */
  now(): number;
  /** Calls back again and again. @returns what ends it */
  every(ms: number, work: () => void): () => void;
}

/** Structured lines: fields first, then the message. */
export interface BotLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}
