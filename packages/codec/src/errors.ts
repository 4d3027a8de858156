import { PrimeError } from '@prime/primitives';

export type CodecErrorDetail =
  /** The bytes are not one canonical RLP item within the limits; offset is where that shows. */
  | { readonly code: 'CODEC_RLP_MALFORMED'; readonly reason: string; readonly offset: number }
  /** A field has the wrong shape or a value outside its range, in bytes to decode or in a value to encode. */
  | { readonly code: 'CODEC_FIELD_INVALID'; readonly field: string; readonly reason: string }
  /** Bytes that are no transaction of a type that this chain knows; `reason` in go-ethereum's words where it has them. */
  | { readonly code: 'CODEC_TRANSACTION_MALFORMED'; readonly reason: string }
  /** The encoding is longer than the limit of its kind. */
  | { readonly code: 'CODEC_TOO_LARGE'; readonly size: number; readonly limit: number };
export class CodecError extends PrimeError<CodecErrorDetail> {}

export function malformedRlp(reason: string, offset: number): never {
  throw new CodecError(`malformed RLP: ${reason} at byte ${offset}`, { code: 'CODEC_RLP_MALFORMED', reason, offset });
}

export function invalidField(field: string, reason: string): never {
  throw new CodecError(`invalid ${field}: ${reason}`, { code: 'CODEC_FIELD_INVALID', field, reason });
}
