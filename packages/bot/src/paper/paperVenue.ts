import {
  createLocalAccountState,
  type LocalAccountState,
  type Market,
  type Streams,
  watchOrderBook,
  watchTrades,
} from '@prime/sdk';
import type { BotFill } from '../ledger.ts';
import type { Outcome, Venue, VenueListener } from '../ports.ts';
import { PaperBook } from './paperBook.ts';

/** The real market whose flow fills a bot's paper orders. */
export interface PaperVenueOptions {
  readonly streams: Streams;
  readonly market: Market;
  readonly openOrdersMax: number;
  /** ms since 1970. */
  readonly now: () => number;
}

/** An account that nobody has: what is asked of it is how far the chain has come. */
const nobody = '0x000000000000000000000000000000000000dead';

/** A bot's market where the book is real and the bot's orders are not. Nothing is sent. */
export function createPaperVenue({ streams, market, openOrdersMax, now }: PaperVenueOptions): Venue {
  const { marketId } = market;
  const paper = new PaperBook();
  let listener: VenueListener | null = null;
  let chain: LocalAccountState | null = null;
  let stops: readonly (() => void)[] = [];
  const head = (): bigint => chain?.current.blockNumber ?? 0n;
  const tell = (fills: readonly BotFill[]): void => {
    paper.onTime(Math.floor(now() / 1000));
    listener?.onAccount(paper.view(head()), { isSure: chain?.current.status === 'sure', fills });
  };
  const carriedOut = (fills: readonly BotFill[], refusals: readonly string[]): Promise<Outcome> => {
    tell(fills);
    return Promise.resolve({ kind: 'included', blockNumber: head(), refusals });
  };
  return {
    market,
    openOrdersMax,
    get head() {
      const { blockNumber = null } = chain?.current ?? {};
      return blockNumber;
    },
    start(to) {
      listener = to;
      const onError = (error: { readonly shortMessage: string; readonly code: string }): void =>
        to.onTrouble(error.shortMessage, error.code);
      chain = createLocalAccountState(streams, { address: nobody, onError });
      chain.onChange((_view, { kind }) => {
        if (kind === 'snapshot') to.onAccountReset(paper.view(head()), kind, []);
        else tell([]);
      });
      const onOrderBook: Parameters<typeof watchOrderBook>[1]['onOrderBook'] = (book) => {
        to.onBook(book, book.blockNumber);
        tell(paper.onBook(book, book.blockNumber));
      };
      const onStatus = (status: string): void => to.onBookStatus(status === 'live');
      stops = [
        watchOrderBook(streams, { market: marketId, onError, onStatus, onOrderBook }),
        watchTrades(streams, {
          market: marketId,
          onError,
          onTrades: (trades, { blockNumber }) => tell(trades.flatMap((trade) => paper.onTrade(trade, blockNumber))),
        }),
      ];
    },
    fence: () => Promise.resolve(0n),
    submit: (items) => {
      const { fills, refusals } = paper.carryOut(items, head());
      return carriedOut(fills, refusals);
    },
    cancelAll: () => {
      paper.cancelAll();
      return carriedOut([], []);
    },
    stop() {
      for (const stop of stops) stop();
      chain?.stop();
    },
  };
}
