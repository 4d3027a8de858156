import type { MarketDecimals } from '@prime/codec';
import type { MarketId } from '@prime/primitives';

/** What a market is for whoever watches the node. Prices are wei per base unit, null where there is none. */
export interface MarketStanding {
  readonly id: MarketId;
  readonly symbol: string;
  readonly decimals: MarketDecimals;
  readonly bestBid: bigint | null;
  readonly bestAsk: bigint | null;
  readonly markPrice: bigint | null;
  readonly lastPrice: bigint | null;
  /** Orders that rest. */
  readonly orders: number;
  /** Base units of all longs. */
  readonly openInterest: bigint;
  /** Since the gateway was started. */
  readonly trades: number;
}
