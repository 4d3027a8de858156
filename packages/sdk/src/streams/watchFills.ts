import { fillsFromEvents } from './account/fills.ts';
import type { Address } from '../types/primitives.ts';
import type { FeedSource } from './feed/feed.ts';
import type { StreamsClient } from './streams.ts';
import type { BlockPosition, Fill } from './types.ts';
import { type FeedParameters, type FromBlock, type Unwatch, watchFeed } from './watch.ts';
import { toObject } from './wire/fields.ts';
import { readFills } from './wire/messages.ts';
import { blockPosition } from './wire/position.ts';

/** Whose fills are wanted, from which block on, and who gets them. */
export interface WatchFillsParameters extends FeedParameters, FromBlock {
  readonly address: Address;
  /** What one block did to the account's positions, in the order in which it did. */
  readonly onFills: (fills: readonly Fill[], block: BlockPosition) => unknown;
}

function fillsSource(address: Address): FeedSource<readonly Fill[], Fill> {
  const account = address.toLowerCase() as Address;
  return {
    kind: 'fills',
    options: { address: account },
    // Whether a maker's fill was against a position in liquidation is told by an event that does not name the maker.
    filters: [
      { domain: 'orders', address: account },
      { domain: 'orders', kind: 'liquidation' },
    ],
    read: (result) => ({ ...blockPosition(toObject(result, 'fills')), live: readFills(result) }),
    convert: (block) => ('live' in block ? block.live : fillsFromEvents(block.events, account)),
  };
}

/** Tells the fills of an account, each once and in order, also those of the time without a connection. */
export const watchFills = (client: StreamsClient, parameters: WatchFillsParameters): Unwatch =>
  watchFeed(client, fillsSource(parameters.address), parameters, parameters.onFills, parameters.fromBlock ?? null);
