import { decodeReporterRecord, type MarketDecimals, type MarketRecord, type ReporterRecord } from '@prime/codec';
import { type Address, bytesToHex, type MarketId } from '@prime/primitives';

/** The price from outside of a market. */
interface IndexStanding {
  /** Wei per base unit; null before the first one. */
  readonly price: bigint | null;
  /** For how long too few validators have reported, by the time of the newest block, ms; 0 while it is fresh. */
  readonly staleMs: number;
}

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
  /** Null for a market without oracle. */
  readonly index: IndexStanding | null;
}

/** What a book model knows of a market beside its record. */
type Counted = Pick<MarketStanding, 'bestBid' | 'bestAsk' | 'orders' | 'openInterest' | 'trades'>;

/** Times of blocks, ms. */
export interface BlockTimes {
  /** Of the newest one. */
  readonly nowMs: number;
  /** Of the first one: nothing is older. */
  readonly genesisMs: number;
}

const since = (ms: number, { nowMs, genesisMs }: BlockTimes): number => Math.max(0, nowMs - Math.max(ms, genesisMs));

/** A market as its record and its book tell. */
export const marketStanding = (record: MarketRecord, counted: Counted, times: BlockTimes): MarketStanding => {
  const { marketId: id, symbol, baseDecimals, quoteDecimals, markPrice, lastPrice, oracle } = record;
  const staleMs = oracle?.staleSinceMs == null ? 0 : since(oracle.staleSinceMs, times);
  return {
    id,
    symbol,
    decimals: { baseDecimals, quoteDecimals },
    markPrice,
    lastPrice,
    ...counted,
    index: oracle === undefined ? null : { price: oracle.index, staleMs },
  };
};

/** How a validator reports prices, for whoever watches the node. */
export interface ReporterStanding {
  /** Its owner. */
  readonly validator: Address;
  /** From its newest report that a block took to the newest block, ms; since genesis where there was none. */
  readonly silentMs: number;
  /** Minutes of this day (UTC) in which blocks had it active. */
  readonly minutes: number;
  /** Those of them in which a report of it was taken. */
  readonly reportedMinutes: number;
}

/** What validators reported of prices from outside, by the records that blocks wrote. */
export class Reporters {
  private readonly records = new Map<Address, ReporterRecord>();

  /** @param key as `reporterRecordKey` makes it */
  write(key: Uint8Array, value: Uint8Array | null): void {
    const validator = bytesToHex(key.subarray(1)) as Address;
    if (value === null) this.records.delete(validator);
    else this.records.set(validator, decodeReporterRecord(value));
  }

  standing(times: BlockTimes): ReporterStanding[] {
    return [...this.records.values()].map(({ validator, observedAtMs, minutes, reportedMinutes }) => ({
      validator,
      silentMs: since(observedAtMs, times),
      minutes,
      reportedMinutes,
    }));
  }
}
