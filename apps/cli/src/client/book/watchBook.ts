import { type StreamError, type StreamStatus, watchOrderBook, watchTrades } from '@prime/sdk';
import type { Connection } from '../connect.ts';
import type { ShownTrade } from './ladder.ts';
import type { BookViewer, ViewerParameters } from './viewer.ts';

/** What is shown of a book's past before it goes on: the newest trades, and from where they are told live. */
export interface Past {
  /** Newest first. */
  readonly trades: readonly ShownTrade[];
  readonly fromBlock: bigint;
}

/** @param limit trades at most */
export async function pastOf({ client }: Connection, marketId: number, limit: number): Promise<Past> {
  // The head first: what is traded meanwhile is told twice, and shown once.
  const fromBlock = await client.getBlockNumber();
  const trades = limit === 0 ? [] : await client.getTrades({ market: marketId, limit });
  return { trades, fromBlock };
}

/**
 * Shows a book and its trades to a viewer until `ending` is settled.
 *
 * @param ending rejects where the program can not go on
 * @throws StreamError when no node serves them
 */
export async function watchBook(
  connection: Connection,
  { market, past }: Pick<ViewerParameters, 'market' | 'past'>,
  {
    viewer,
    fromBlock,
    ending,
  }: { readonly viewer: BookViewer; readonly fromBlock: bigint; readonly ending: Promise<void> },
): Promise<void> {
  const streams = connection.streams();
  let newest = past[0]?.tradeId ?? 0;
  let why: string | null = null;
  let failed: (error: StreamError) => void = () => undefined;
  const failure = new Promise<never>((_, reject) => (failed = reject));
  const onError = (error: StreamError): void => {
    why = error.shortMessage.split('\n')[0]!;
    if (error.isFatal) failed(error);
  };
  const onStatus = (status: StreamStatus): void => {
    if (status === 'live') why = null;
    viewer.onStatus(status, why);
  };
  const unwatch = [
    watchOrderBook(streams, { market, onOrderBook: (book) => viewer.onBook(book), onStatus, onError }),
    watchTrades(streams, {
      market,
      fromBlock,
      onTrades: (told) => {
        const fresh = told.filter(({ tradeId }) => tradeId > newest);
        newest = fresh.at(-1)?.tradeId ?? newest;
        return fresh.length === 0 ? undefined : viewer.onTrades(fresh);
      },
      onError,
    }),
  ];
  try {
    await Promise.race([ending, failure]);
  } finally {
    for (const end of unwatch) end();
    streams.close();
  }
}
