import { decodeEvent, eventFieldReader, frameAt, placesOfKind } from '@prime/codec';
import type { Height, MarketId, TimestampMs } from '@prime/primitives';
import type { MarketTrade } from '@prime/rpc';

/** Trades kept of each market: as many as one answer may hold. */
const tradesPerMarketMax = 1000;

/** A trade as its event encodes it: decoded when somebody asks, as blocks have thousands. */
interface KeptTrade {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  readonly event: Uint8Array;
}

const marketOf = eventFieldReader('trade', ['market_id']);

/** The latest trades of each market, from the events of blocks in their order. */
export class TradeHistory {
  private readonly byMarket = new Map<MarketId, KeptTrade[]>();
  private readonly counts = new Map<MarketId, number>();

  /** @param events of a block, encoded: see eventFrames.ts of the codec */
  add(height: Height, timestampMs: TimestampMs, events: Uint8Array): void {
    const placesOf = new Map<MarketId, number[]>();
    for (const place of placesOfKind(events, 'trade')) {
      const id = marketOf(frameAt(events, place))[0] as MarketId;
      const places = placesOf.get(id);
      if (places === undefined) placesOf.set(id, [place]);
      else places.push(place);
    }
    for (const [id, places] of placesOf) {
      this.counts.set(id, this.count(id) + places.length);
      // Copies: the events of a whole block would stay for one of them.
      for (const place of places.slice(-tradesPerMarketMax))
        this.push(id, { height, timestampMs, event: new Uint8Array(frameAt(events, place)) });
    }
  }

  /** Newest first. */
  latest(id: MarketId, limit: number): readonly MarketTrade[] {
    const trades = this.byMarket.get(id) ?? [];
    return trades
      .slice(Math.max(0, trades.length - limit))
      .reverse()
      .map(tradeOf);
  }

  /** Trades of a market that were added so far, those that are not kept any more among them. */
  count(id: MarketId): number {
    return this.counts.get(id) ?? 0;
  }

  private push(id: MarketId, trade: KeptTrade): void {
    const trades = this.byMarket.get(id) ?? [];
    this.byMarket.set(id, trades);
    trades.push(trade);
    // Dropped by halves, so that a trade costs the same however many there are.
    if (trades.length >= 2 * tradesPerMarketMax) trades.splice(0, tradesPerMarketMax);
  }
}

/** The event's fields have the types that its table gives them. */
function tradeOf({ height, timestampMs, event }: KeptTrade): MarketTrade {
  const { data } = decodeEvent(event);
  return {
    tradeId: data['trade_id'] as MarketTrade['tradeId'],
    price: data['price'] as bigint,
    size: data['size'] as bigint,
    makerOrderId: data['maker_order_id'] as MarketTrade['makerOrderId'],
    takerOrderId: data['taker_order_id'] as MarketTrade['takerOrderId'],
    maker: data['maker'] as MarketTrade['maker'],
    taker: data['taker'] as MarketTrade['taker'],
    side: data['side'] as MarketTrade['side'],
    fee: data['fees'] as bigint,
    height,
    timestampMs,
  };
}
