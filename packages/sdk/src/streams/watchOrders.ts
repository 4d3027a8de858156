import { type OpenOrders, stepOrders } from './account/orders.ts';
import { readLedger } from './account/snapshot.ts';
import type { Address } from '../types/primitives.ts';
import type { DomainEventOf } from './domainEvents.ts';
import { StreamError } from './errors.ts';
import type { FeedSource } from './feed/feed.ts';
import type { StreamsClient } from './streams.ts';
import type { AccountDifference, BlockPosition, OrderUpdate } from './types.ts';
import { type FeedParameters, type Unwatch, watchFeed } from './watch.ts';
import { eventsSource } from './watchDomainEvents.ts';

/** Whose orders are watched, and who is told. */
export interface WatchOrdersParameters extends FeedParameters {
  readonly address: Address;
  /** What one block made of the account's orders: one update for each that it touched. */
  readonly onOrders: (updates: readonly OrderUpdate[], block: BlockPosition) => unknown;
}

/** Orders as events tell them, on top of those that rest where the stream begins. */
function ordersSource(
  address: Address,
  onError: (error: StreamError) => void,
): FeedSource<readonly DomainEventOf[], OrderUpdate> {
  const owner = address.toLowerCase() as Address;
  let open: OpenOrders = new Map();
  return {
    ...eventsSource({ domain: 'orders', address: owner }),
    convert: (block) => {
      const { blockNumber, blockHash, timeMs } = block;
      const events = 'live' in block ? block.live : block.events;
      const step = stepOrders(open, events, owner, { blockNumber, blockHash, timeMs });
      ({ open } = step);
      if (step.unknown.length > 0) onError(unknownOrders(owner, blockNumber, step.unknown));
      return step.updates;
    },
    snapshot: async (link) => {
      const ledger = await readLedger(link, owner);
      open = ledger.orders;
      return ledger.blockNumber;
    },
  };
}

function unknownOrders(address: Address, blockNumber: bigint, ids: readonly number[]): StreamError {
  const differences = ids.map((orderId): AccountDifference => ({ what: 'order', orderId, local: null, chain: null }));
  return new StreamError(`Block ${blockNumber} changed orders that ${address} did not have: ${ids.join(', ')}.`, {
    code: 'STREAM_ACCOUNT_DISAGREES',
    address,
    blockNumber,
    differences,
  });
}

/** Tells what becomes of an account's orders from now on, also of those that rest already: each change once and in order. */
export const watchOrders = (client: StreamsClient, parameters: WatchOrdersParameters): Unwatch =>
  watchFeed(
    client,
    ordersSource(parameters.address, (error) => parameters.onError?.(error)),
    parameters,
    parameters.onOrders,
    null,
  );
