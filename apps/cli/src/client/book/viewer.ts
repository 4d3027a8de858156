import type { Market, OrderBookState, PriceLevel, StreamStatus } from '@prime/sdk';
import { type ShownTrade, spreadWords } from './ladder.ts';
import { viewTrade } from '../orderView.ts';

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

/** Where lines go. @returns what is settled once there is room for more */
type WriteLine = (line: string) => unknown;

/** A line for each block that changed the book, and one for each trade: for pipes, logs and terminals that can no more. */
export function lineViewer({ market }: ViewerParameters, write: WriteLine, warn: (line: string) => void): BookViewer {
  const best = (name: string, level: PriceLevel | undefined): string =>
    level === undefined
      ? `no ${name}`
      : `${name} ${market.formatPrice(level.price)} x ${market.formatSize(level.size)}`;
  let wasInterrupted = false;
  return {
    onBook: (book) => {
      const [bid, ask] = [best('bid', book.bids[0]), best('ask', book.asks[0])];
      return write(`block ${book.blockNumber}  ${bid}  ${ask}  ${spreadWords({ ...book, market })}`);
    },
    onTrades: async (trades) => {
      for (const trade of trades) {
        const { side, size, price } = viewTrade(trade, market);
        await write(`block ${trade.blockNumber}  trade ${side} ${size} @ ${price}`);
      }
    },
    onStatus(status, why) {
      if (status === 'interrupted') warn(`interrupted${why === null ? '' : `: ${why}`}`);
      if (status === 'live' && wasInterrupted) warn('live again');
      if (status !== 'syncing') wasInterrupted = status === 'interrupted';
    },
    close: () => undefined,
  };
}

/** The same as lines of JSON, each an object with its `type`. */
export function jsonViewer({ market, depth }: ViewerParameters, write: WriteLine): BookViewer {
  const levels = (side: readonly PriceLevel[]): string[][] =>
    side.slice(0, depth).map(({ price, size }) => [market.formatPrice(price), market.formatSize(size)]);
  return {
    onBook: ({ blockNumber, sequence, checksum, bids, asks }) =>
      write(
        JSON.stringify({
          type: 'book',
          market: market.symbol,
          block: Number(blockNumber),
          sequence,
          checksum,
          bids: levels(bids),
          asks: levels(asks),
        }),
      ),
    onTrades: async (trades) => {
      for (const trade of trades)
        await write(
          JSON.stringify({
            type: 'trade',
            market: market.symbol,
            block: Number(trade.blockNumber),
            ...viewTrade(trade, market),
          }),
        );
    },
    onStatus: (status, why) => void write(JSON.stringify({ type: 'status', status, why })),
    close: () => undefined,
  };
}
