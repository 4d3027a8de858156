import { encodeRecordFrames, encodeResultFrames } from '@prime/codec';
import type { ClobOutcome, EncodedOutcome } from './ports.ts';

/** All that is made late is made. @throws CodecError `CODEC_FIELD_INVALID` where a result has no encoding, which is a programming mistake */
export const encodeOutcome = (outcome: ClobOutcome): EncodedOutcome => ({
  ...outcome,
  results: encodeResultFrames(outcome.results),
  writes: encodeRecordFrames(outcome.writes),
});
