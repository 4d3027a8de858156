import { integer, nullable, struct } from '../encoding/fieldCodecs.ts';
import { signedWei, wei } from '../encoding/protocolFields.ts';

/** Funding in the records of the order book: a part of the global one, and of that of a market. */

/** Funding of a market. Scaled: in units of 10^-9 wei for one base unit. */
export interface MarketFunding {
  /** What a long paid since the market began, scaled; negative is what it got. */
  readonly index: bigint;
  /** By how much the latest interval changed the index. */
  readonly change: bigint;
  /** Price that the mark is compared with, scaled; null before the first interval is over. */
  readonly reference: bigint | null;
  /** Sum of mark price times ms in this interval, and the ms, up to `countedMs`. */
  readonly markSum: bigint;
  readonly markMs: number;
  /** Block time. */
  readonly countedMs: number;
}

/** What funding is on its way from those who settled to those who did not. */
export interface FundingPool {
  /** Number of the interval, counted from the epoch of time. */
  readonly interval: number;
  /** Wei that settled positions paid and no other got yet; negative is what others still have to pay. */
  readonly pool: bigint;
  /** What rounding has left over, scaled, less than one wei. */
  readonly dust: bigint;
}

/** A part of the global record. */
export const fundingPoolCodec = struct<FundingPool>({ interval: integer(), pool: signedWei, dust: wei });
/** A part of the record of a market. */
export const marketFundingCodec = struct<MarketFunding>({
  index: signedWei,
  change: signedWei,
  reference: nullable(wei),
  markSum: wei,
  markMs: integer(),
  countedMs: integer(),
});
