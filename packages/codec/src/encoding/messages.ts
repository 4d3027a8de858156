import type { Codec } from './fieldCodecs.ts';
import { decodeRlp, encodeRlp } from './rlp.ts';

/** A function that gives the bytes of a message. @param name of the message, for errors. It throws CodecError `CODEC_FIELD_INVALID` */
export const encoder =
  <T>(codec: Codec<T>, name: string) =>
  (value: T): Uint8Array =>
    encodeRlp(codec.toRlp(value, name));

/** Undoes what {@link encoder} makes. It throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decoder =
  <T>(codec: Codec<T>, name: string) =>
  (bytes: Uint8Array): T =>
    codec.fromRlp(decodeRlp(bytes), name);
