import type { AccountView, Book, Level, MarketRules, Side } from '../market.ts';

/** A resting order as a strategy wants it. */
export interface Quote extends Level {
  readonly side: Side;
}

/** Everything that a strategy may decide by. */
export interface StrategyInput {
  readonly market: MarketRules;
  /** ms since 1970 of the bot's clock. */
  readonly nowMs: number;
  /** Without the account's own orders. */
  readonly book: Book;
  readonly account: AccountView;
  /** What one base unit is worth, wei; null where nobody knows. */
  readonly fairPrice: bigint | null;
}

/** What a strategy wants to be true now. Whatever rests and is not in `quotes` is cancelled. */
export interface Wanted {
  /** Post-only orders that should rest. */
  readonly quotes: readonly Quote[];
  /** Orders that trade at once or not at all (ioc), at their price or better. */
  readonly takes: readonly Quote[];
}

/**
 * A trading idea. It is asked after each block and each tick of the clock, and answers what it wants; how to get there is the business of
 * the execution layer. It never sends anything, so the same strategy runs live, on paper and in backtests.
 */
export interface Strategy {
  /** As log lines and metrics call it. */
  readonly name: string;
  /** What it throws pulls all quotes until it answers again. */
  decide(input: StrategyInput): Wanted;
}

/** A strategy's answer when it wants no order at all. */
export const nothingWanted: Wanted = { quotes: [], takes: [] };
