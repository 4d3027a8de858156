import { address, flag, integer, listOf, nullable, struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { reportedPriceCodec } from '../actions/actionPayload.ts';
import { amount, marketId, signedWei, timestampMs, wei } from '../encoding/protocolFields.ts';
import { decoder, encoder } from '../encoding/messages.ts';

/** The oracle in the records of the order book: what each validator reported, and the index of a market. */

const observedPriceCodec = struct({ marketId, price: amount, observedAtMs: timestampMs });
/** A price that a validator told of a market, wei for one base unit, in an earlier report than its latest one. */
export interface ObservedPrice extends ValueOf<typeof observedPriceCodec> {}

const reporterCodec = struct({
  validator: address,
  /** Of its latest report; the next one has to be later. 0 before the first one. */
  observedAtMs: timestampMs,
  /** Those of its latest report, ascending by market. */
  prices: listOf(reportedPriceCodec),
  /** The newest ones of other markets, ascending by market: as many as there are with an oracle, whatever one report may hold. */
  earlier: listOf(observedPriceCodec),
  /** The latest minute of block time, since 1970, in which a block had it active. */
  minute: integer(),
  /** Minutes of the day of {@link minute} in which a block had it active, that one included. */
  minutes: integer(),
  /** Those of them in which a report of it was taken. */
  reportedMinutes: integer(),
  /** Whether {@link minute} is one of these. */
  hasReported: flag,
});
/** What a validator reported; key: kind, its owner's address. */
export interface ReporterRecord extends ValueOf<typeof reporterCodec> {}

/** A part of the record of a market that has an oracle. */
export const marketOracleCodec = struct({
  /** Wei for one base unit; null before the first median. */
  index: nullable(amount),
  /** By how much the book trades above the index, on average, wei; negative is below. */
  premium: signedWei,
  /** Block time since which there is no fresh median, ms; null: the index is fresh. */
  staleSinceMs: nullable(timestampMs),
  /** Block time from which on the market trades again, ms; 0: it does. Until then it is post-only. */
  resumesAtMs: timestampMs,
  /** What the latest event told of the index, and when. */
  toldIndex: amount,
  toldAtMs: timestampMs,
  /** Sums of the interval of funding: index times ms, and premium times ms of the time in which the index was fresh. */
  indexSum: wei,
  premiumSum: signedWei,
});
/** Index of a market, and what the mark makes of it. */
export interface MarketOracle extends ValueOf<typeof marketOracleCodec> {}

/** Value under a reporter's key; see {@link ReporterRecord}. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeReporterRecord = encoder<ReporterRecord>(reporterCodec, 'reporter record');
/** Undoes {@link encodeReporterRecord}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeReporterRecord = decoder<ReporterRecord>(reporterCodec, 'reporter record');
