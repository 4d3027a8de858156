import type { CandleInterval } from '@prime/codec';
import type { Address, Hex, MarketId } from '@prime/primitives';
import type { LogCriteria } from './chainPorts.ts';
import type { Format } from '../format/format.ts';

/**
 * What a connection can be told of, and the port through which methods open and close that. The messages themselves are
 * described in docs/protocol/streams.md.
 */
export type Topic =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'syncing' }
  | { readonly kind: 'commits' }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria }
  /** `full` tells whole transactions, else their hashes. */
  | { readonly kind: 'newPendingTransactions'; readonly full: boolean }
  | { readonly kind: 'orderBook'; readonly marketId: MarketId }
  | { readonly kind: 'bookOrders'; readonly marketId: MarketId }
  | { readonly kind: 'bbo'; readonly marketId: MarketId }
  | { readonly kind: 'ticker'; readonly marketId: MarketId }
  | { readonly kind: 'trades'; readonly marketId: MarketId }
  | { readonly kind: 'candles'; readonly marketId: MarketId; readonly interval: CandleInterval }
  | { readonly kind: 'account'; readonly account: Address }
  | { readonly kind: 'orders'; readonly account: Address }
  | { readonly kind: 'fills'; readonly account: Address }
  | {
      readonly kind: 'domainEvents';
      readonly domain: string | null;
      readonly eventKind: string | null;
      /** Events that name one of these; empty is every event. */
      readonly addresses: readonly Address[];
    };

/** What `eth_subscribe` names by its first parameter. */
export type TopicKind = Topic['kind'];

/** The subscriptions of one connection, as one of its requests sees them. */
export interface Subscriptions {
  /**
   * Notifications begin after the answer to the request was sent, with the first block after that.
   *
   * @param format of heads: native for the prime_ method
   * @throws RpcError `RPC_LIMIT_EXCEEDED`
   */
  open(topic: Topic, format: Format): Promise<Hex>;
  /** @returns whether the connection had it */
  close(id: Hex): boolean;
}
