import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { getTrades, type Market, type PrimeClient, type StreamsClient, type Trade, watchTrades } from '@prime/sdk';
import { collect, type RequestFrame } from './frames.ts';
import { createShared, type Shared } from './shared.ts';

/** A trade of any market. After the privacy fork a public node leaves out who traded. */
export interface FeedTrade extends Pick<Trade, 'tradeId' | 'price' | 'size' | 'side'> {
  readonly marketId: number;
  readonly blockNumber: bigint;
}

/** The latest trades of all markets. */
export interface TradeFeed extends Shared {
  /** Newest first; null until the first market was read. */
  readonly latest: ReadonlySignal<readonly FeedTrade[] | null>;
  /** The latest trades of each market that was read, newest first. */
  readonly byMarket: ReadonlySignal<ReadonlyMap<number, readonly FeedTrade[]>>;
}

/** Markets that are followed; a network with more shows the others' prices without their trades. */
const followedMarketsMax = 24;
/** Trades that are kept of each market. */
const keptMax = 120;
/** Trades of one frame that are looked at. */
const perFrameMax = 2_000;

/** Newest first, each once, at most `max`. */
export function mergeTrades(
  known: readonly FeedTrade[],
  more: readonly FeedTrade[],
  max: number,
): readonly FeedTrade[] {
  const byId = new Map([...known, ...more].map((trade) => [`${trade.marketId} ${trade.tradeId}`, trade]));
  const isNewer = (a: FeedTrade, b: FeedTrade): boolean =>
    a.blockNumber === b.blockNumber ? a.tradeId > b.tradeId : a.blockNumber > b.blockNumber;
  return [...byId.values()].toSorted((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, max);
}

/** Where trades are read, and how often they are shown. */
export interface TradeFeedOptions {
  readonly client: PrimeClient;
  readonly streams: StreamsClient;
  readonly markets: ReadonlySignal<readonly Market[] | null>;
  readonly requestFrame: RequestFrame;
}

/** Trades of all markets: the past is read once for each market, the new ones come by a stream. */
export function createTradeFeed({ client, streams, markets, requestFrame }: TradeFeedOptions): TradeFeed {
  const latest = signal<readonly FeedTrade[] | null>(null);
  const byMarket = signal<ReadonlyMap<number, readonly FeedTrade[]>>(new Map());
  /** @param read a market whose past was read, also where it had none */
  const take = (trades: readonly FeedTrade[], read: readonly number[] = []): void => {
    const next = new Map(byMarket.value);
    for (const marketId of new Set([...trades.map((trade) => trade.marketId), ...read])) {
      const more = trades.filter((trade) => trade.marketId === marketId);
      next.set(marketId, mergeTrades(next.get(marketId) ?? [], more, keptMax));
    }
    byMarket.value = next;
    latest.value = mergeTrades(latest.value ?? [], trades, keptMax);
  };
  const push = collect<FeedTrade>(requestFrame, perFrameMax, (trades) => take(trades));
  const follow = (marketId: number): (() => void) => {
    const tag = (trade: Trade & { readonly blockNumber: bigint }): FeedTrade => ({ ...trade, marketId });
    // Without them the feed begins empty and fills as people trade, so a failure needs no words of its own.
    getTrades(client, { market: marketId, limit: keptMax }).then(
      (trades) => take(trades.map(tag), [marketId]),
      () => take([], [marketId]),
    );
    return watchTrades(streams, { market: marketId, onTrades: (trades) => trades.forEach(push) });
  };
  const shared = createShared(() => {
    const followed = new Map<number, () => void>();
    const end = effect(() => {
      for (const { marketId } of markets.value ?? [])
        if (!followed.has(marketId) && followed.size < followedMarketsMax) followed.set(marketId, follow(marketId));
    });
    return () => {
      end();
      for (const unwatch of followed.values()) unwatch();
    };
  });
  return { latest, byMarket, hold: () => shared.hold() };
}
