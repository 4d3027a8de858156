import type { OrderId } from '@prime/primitives';
import {
  commitMessage,
  eventsMessage,
  fillsMessage,
  fillsOf,
  type Format,
  formatLog,
  headMessage,
  ordersMessage,
  type OrderUpdate,
  type Topic,
  tradesMessage,
  visibleEvents,
} from '@prime/rpc';
import { matchesLog } from '../matching.ts';
import type { OrderChange } from '../readModel/books/bookChanges.ts';
import type { RecentBlock } from '../readModel/recentBlocks.ts';
import { orderUpdates } from './orderUpdates.ts';
import type { StateTopic } from './stateStreams.ts';

/** Order updates of the newest block, made when the first account asks. */
const updatesOf = new WeakMap<RecentBlock, readonly OrderUpdate[]>();

function updatesIn(block: RecentBlock, orders: ReadonlyMap<OrderId, OrderChange>): readonly OrderUpdate[] {
  const updates = updatesOf.get(block) ?? orderUpdates(block.events.all, orders);
  updatesOf.set(block, updates);
  return updates;
}

type BlockTopic = Exclude<Topic, StateTopic | { readonly kind: 'newPendingTransactions' | 'candles' }>;

/**
 * What a block means for a topic: the results of its notifications, in order; nothing when it does not concern it.
 *
 * @param hide leaves out what names accounts
 */
export function blockResults(
  topic: BlockTopic,
  format: Format,
  block: RecentBlock,
  orders: ReadonlyMap<OrderId, OrderChange>,
  hide: boolean,
): readonly unknown[] {
  switch (topic.kind) {
    case 'newHeads':
      return [headMessage(block, block.results.opened.receipts, format)];
    case 'commits':
      return [commitMessage(block)];
    case 'logs': {
      const { criteria } = topic;
      if (block.height < criteria.fromHeight || block.height > criteria.toHeight) return [];
      return block.logs.filter((entry) => matchesLog(entry, criteria)).map(formatLog);
    }
    case 'trades': {
      const trades = block.events.ofKind('trade').filter(({ data }) => data['market_id'] === topic.marketId);
      return trades.length === 0 ? [] : [tradesMessage(block, topic.marketId, trades, hide)];
    }
    case 'fills': {
      const { account } = topic;
      const query = { domain: 'orders', kind: null, addresses: [account] };
      if (block.events.matching(query).length === 0) return [];
      const fills = fillsOf(account, block.events.all);
      return fills.length === 0 ? [] : [fillsMessage(block, account, fills)];
    }
    case 'orders': {
      const updates = updatesIn(block, orders).filter(({ owner }) => owner === topic.account);
      return updates.length === 0 ? [] : [ordersMessage(block, topic.account, updates)];
    }
    case 'domainEvents': {
      const query = { domain: topic.domain, kind: topic.eventKind, addresses: topic.addresses };
      const events = visibleEvents(hide, block.events.matching(query));
      return events.length === 0 ? [] : [eventsMessage(block, events)];
    }
    case 'syncing':
      return [];
  }
}
