import type { Market, OrderBookState, StreamStatus } from '@prime/sdk';
import type { ShownTrade } from './ladder.ts';

/** Who is shown a book as it goes on. A promise that is returned holds newer books back, which replace each other. */
export interface BookViewer {
  onBook(book: OrderBookState): unknown;
  /** In the order of execution. */
  onTrades(trades: readonly ShownTrade[]): unknown;
  /** @param why what went wrong, where something did */
  onStatus(status: StreamStatus, why: string | null): void;
  close(): void;
}

/** The market that is shown, and what was traded before the stream began. */
export interface ViewerParameters {
  readonly market: Market;
  /** Levels of each side. */
  readonly depth: number;
  /** Trades that are shown at most. */
  readonly trades: number;
  /** What had been traded before, newest first. */
  readonly past: readonly ShownTrade[];
}
