import { integer, nullable, struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { signedWei, wei } from '../encoding/protocolFields.ts';

/** Funding in the records of the order book: a part of the global one, and of that of a market. */

/** A part of the global record. */
export const fundingPoolCodec = struct({
  /** Number of the interval, counted from the epoch of time. */
  interval: integer(),
  /** Wei that settled positions paid and no other got yet; negative is what others still have to pay. */
  pool: signedWei,
  /** What rounding has left over, scaled, less than one wei. */
  dust: wei,
});
/** What funding is on its way from those who settled to those who did not. */
export interface FundingPool extends ValueOf<typeof fundingPoolCodec> {}

/** A part of the record of a market. */
export const marketFundingCodec = struct({
  /** What a long paid since the market began, scaled; negative is what it got. */
  index: signedWei,
  /** By how much the latest interval changed the index. */
  change: signedWei,
  /** Price that the mark is compared with, scaled; null before the first interval is over. */
  reference: nullable(wei),
  /** Sum of mark price times ms in this interval, and the ms, up to `countedMs`. */
  markSum: wei,
  markMs: integer(),
  /** Block time. */
  countedMs: integer(),
});
/** Funding of a market. Scaled: in units of 10^-9 wei for one base unit. */
export interface MarketFunding extends ValueOf<typeof marketFundingCodec> {}
