import { PrimeError } from '@prime/primitives';

/** What is wrong with bytes, or with a value that was to become bytes. Sizes and offsets are in bytes. */
export type CodecErrorDetail =
  /** The bytes are not one canonical RLP item within the limits; offset is where that shows. */
  | { readonly code: 'CODEC_RLP_MALFORMED'; readonly reason: string; readonly offset: number }
  /** A field has the wrong shape or a value outside its range, in bytes to decode or in a value to encode. */
  | { readonly code: 'CODEC_FIELD_INVALID'; readonly field: string; readonly reason: string }
  /** Bytes that are no transaction of a type that this chain knows; `reason` in go-ethereum's words where it has them. */
  | { readonly code: 'CODEC_TRANSACTION_MALFORMED'; readonly reason: string }
  /** The encoding is longer than the limit of its kind. */
  | { readonly code: 'CODEC_TOO_LARGE'; readonly size: number; readonly limit: number };
/** Bytes that are not what they should be, or a value that has no encoding. Bytes of others are expected to be bad. */
export class CodecError extends PrimeError<CodecErrorDetail> {}

/** @throws CodecError `CODEC_RLP_MALFORMED` always. @param offset of the byte where it shows */
export function malformedRlp(reason: string, offset: number): never {
  throw new CodecError(`malformed RLP: ${reason} at byte ${offset}`, { code: 'CODEC_RLP_MALFORMED', reason, offset });
}

/** @throws CodecError `CODEC_FIELD_INVALID` always. @param field its name, for the message */
export function invalidField(field: string, reason: string): never {
  throw new CodecError(`invalid ${field}: ${reason}`, { code: 'CODEC_FIELD_INVALID', field, reason });
}
