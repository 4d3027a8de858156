import { encodeRecordFrames } from '@prime/codec';
import type { ClobOutcome, EncodedOutcome } from './ports.ts';

/** All that is made late is made. @throws CodecError `CODEC_FIELD_INVALID` where a result has no encoding, which is a programming mistake */
export const encodeOutcome = (outcome: ClobOutcome): EncodedOutcome => ({
  ordersRoot: outcome.ordersRoot,
  results: outcome.resultFrames,
  events: outcome.events,
  writes: encodeRecordFrames(outcome.writes),
  credits: outcome.credits,
  escrow: outcome.escrow,
  escrowChange: outcome.escrowChange,
  rest: outcome.rest,
});
