import { marketIdOf } from '../decode/references.ts';
import type { MarketReference } from '../types/primitives.ts';
import type { DomainEventOf } from './domainEvents.ts';
import type { FeedBlock, FeedSource } from './feed/feed.ts';
import type { StreamsClient } from './streams.ts';
import type { BlockPosition, StreamedTrade } from './types.ts';
import { type FeedParameters, type FromBlock, type Unwatch, watchFeed } from './watch.ts';
import { toObject } from './wire/fields.ts';
import { readTrades } from './wire/messages.ts';
import { blockPosition } from './wire/position.ts';

/** Which market's trades are wanted, from which block on, and who gets them. */
export interface WatchTradesParameters extends FeedParameters, FromBlock {
  readonly market: MarketReference;
  /** The trades of one block, in the order of execution. */
  readonly onTrades: (trades: readonly StreamedTrade[], block: BlockPosition) => unknown;
}

function fromEvent(
  { kind, data, blockNumber, blockHash, timeMs }: DomainEventOf,
  marketId: number,
): readonly StreamedTrade[] {
  if (kind !== 'trade' || data.marketId !== marketId) return [];
  const { fees: fee, ...trade } = data;
  return [{ ...trade, fee, blockNumber, blockHash, timeMs }];
}

const tradesSource = (marketId: number): FeedSource<readonly StreamedTrade[], StreamedTrade> => ({
  kind: 'trades',
  options: { market_id: marketId },
  filters: [{ domain: 'orders', kind: 'trade' }],
  read: (result) => ({ ...blockPosition(toObject(result, 'trades')), live: readTrades(result) }),
  convert: (block: FeedBlock<readonly StreamedTrade[]>) =>
    'live' in block ? block.live : block.events.flatMap((event) => fromEvent(event, marketId)),
});

/** Tells the trades of a market, each once and in order, also those that were made while there was no connection. */
export const watchTrades = (client: StreamsClient, parameters: WatchTradesParameters): Unwatch =>
  watchFeed(
    client,
    tradesSource(marketIdOf(parameters.market)),
    parameters,
    parameters.onTrades,
    parameters.fromBlock ?? null,
  );
