import {
  type Address,
  bytesToHex,
  bytesToUtf8,
  type Hash,
  type Hex,
  isPrimeError,
  utf8ToBytes,
} from '@prime/primitives';
import { invalidField } from './errors.ts';
import type { RlpItem, RlpValue } from './rlp.ts';

/**
 * Field types that the message layouts are composed of. One value serves both directions, so that an encoder can not drift
 * from its decoder, and both refuse the same values: what encodes also decodes, and to an equal value.
 */
export interface Codec<T> {
  /** @throws CodecError `CODEC_FIELD_INVALID` when the value is outside of the type's range */
  toRlp(value: T, field: string): RlpValue;
  /** @throws CodecError `CODEC_FIELD_INVALID`. Bytes are copied, never a view on the input. */
  fromRlp(item: RlpItem, field: string): T;
}

// Array.isArray and not instanceof: bytes may come from another realm.
const isBytes = (item: RlpItem): item is Uint8Array => !Array.isArray(item);

/** @throws CodecError `CODEC_FIELD_INVALID` for a list. What it returns is the item itself, and no copy */
export function itemBytes(item: RlpItem, field: string): Uint8Array {
  return isBytes(item) ? item : invalidField(field, 'expected a byte string, got a list');
}

/** @throws CodecError `CODEC_FIELD_INVALID` for a byte string */
export function itemList(item: RlpItem, field: string): readonly RlpItem[] {
  return isBytes(item) ? invalidField(field, 'expected a list, got a byte string') : item;
}

/** Unsigned integer as a number, `minimum..maximum`, at most a safe integer. */
export function integer<T extends number = number>(minimum = 0, maximum = Number.MAX_SAFE_INTEGER): Codec<T> {
  const checked = (value: number, field: string): T =>
    Number.isSafeInteger(value) && value >= minimum && value <= maximum
      ? (value as T)
      : invalidField(field, `expected an integer ${minimum}..${maximum}, got ${value}`);
  return {
    toRlp: checked,
    fromRlp(item, field) {
      const bytes = itemBytes(item, field);
      if (bytes.length > 7 || bytes[0] === 0) return invalidField(field, 'not a canonical integer of at most 7 bytes');
      let value = 0;
      for (let index = 0; index < bytes.length; index++) value = value * 256 + bytes[index]!;
      return checked(value, field);
    },
  };
}

/** Unsigned integer below 2^bits. */
export function quantity(bits: number): Codec<bigint> {
  const limit = 1n << BigInt(bits);
  return {
    toRlp: (value, field) =>
      value >= 0n && value < limit ? value : invalidField(field, `expected 0..2^${bits}-1, got ${value}`),
    fromRlp(item, field) {
      const bytes = itemBytes(item, field);
      if (bytes.length * 8 > bits || bytes[0] === 0)
        return invalidField(field, `not a canonical integer of ${bits} bits`);
      return unsignedFromBytes(bytes);
    },
  };
}

function unsignedFromBytes(bytes: Uint8Array): bigint {
  if (bytes.length > 6) return BigInt(bytesToHex(bytes));
  let value = 0;
  for (let index = 0; index < bytes.length; index++) value = value * 256 + bytes[index]!;
  return BigInt(value);
}

/** Integer with a sign, |value| < 2^bits, as 2v for v >= 0 and -2v-1 below, so that each value has one form. */
export function signedQuantity(bits: number): Codec<bigint> {
  const unsigned = quantity(bits + 1);
  return {
    toRlp: (value, field) => unsigned.toRlp(value >= 0n ? value * 2n : -value * 2n - 1n, field),
    fromRlp(item, field) {
      // One more bit than a whole number of bytes holds: the range is checked on the value.
      const bytes = itemBytes(item, field);
      if (bytes[0] === 0 || bytes.length * 8 > bits + 8)
        return invalidField(field, `not a canonical integer of ${bits} bits`);
      const folded = unsignedFromBytes(bytes);
      unsigned.toRlp(folded, field);
      return folded % 2n === 0n ? folded / 2n : -(folded + 1n) / 2n;
    },
  };
}

/** {@link signedQuantity} as a number, |value| <= `limit`, a safe integer. */
export function signedInteger(limit: number): Codec<number> {
  const folded = signedQuantity(53);
  const checked = (value: number, field: string): number =>
    Number.isSafeInteger(value) && Math.abs(value) <= limit
      ? value
      : invalidField(field, `expected an integer -${limit}..${limit}, got ${value}`);
  return {
    toRlp: (value, field) => folded.toRlp(BigInt(checked(value, field)), field),
    fromRlp: (item, field) => checked(Number(folded.fromRlp(item, field)), field),
  };
}

/** Bytes as they are. @param length exact @param limit most, when the length is free */
export function byteString({
  length,
  limit,
}: {
  readonly length?: number;
  readonly limit?: number;
} = {}): Codec<Uint8Array> {
  const check = (value: Uint8Array, field: string): Uint8Array => {
    if (length !== undefined && value.length !== length)
      return invalidField(field, `expected ${length} bytes, got ${value.length}`);
    if (limit !== undefined && value.length > limit)
      return invalidField(field, `expected at most ${limit} bytes, got ${value.length}`);
    return value;
  };
  return { toRlp: check, fromRlp: (item, field) => new Uint8Array(check(itemBytes(item, field), field)) };
}

function fixedHex<T extends Hex>(length: number): Codec<T> {
  return {
    toRlp: (value, field) =>
      value.length === 2 * length + 2 ? value : invalidField(field, `expected ${length} bytes of hex, got ${value}`),
    fromRlp(item, field) {
      const bytes = itemBytes(item, field);
      if (bytes.length !== length) return invalidField(field, `expected ${length} bytes, got ${bytes.length}`);
      return bytesToHex(bytes) as T;
    },
  };
}

/** 20 bytes. */
export const address: Codec<Address> = fixedHex(20);
/** 32 bytes. */
export const hash: Codec<Hash> = fixedHex(32);
/** 65 bytes r | s | yParity. Only the length is checked. */
export const signature: Codec<Uint8Array> = byteString({ length: 65 });

/** UTF-8, at most `limit` bytes. Lone surrogates have no encoding and are refused. */
export function text<T extends string = string>(limit: number): Codec<T> {
  const bytes = byteString({ limit });
  return {
    toRlp(value, field) {
      if (/\p{Surrogate}/u.test(value)) return invalidField(field, 'not well-formed Unicode');
      return bytes.toRlp(utf8ToBytes(value), field);
    },
    fromRlp(item, field) {
      const raw = bytes.fromRlp(item, field);
      try {
        return bytesToUtf8(raw) as T;
      } catch (error) {
        if (isPrimeError(error)) return invalidField(field, 'not UTF-8');
        throw error;
      }
    },
  };
}

/** Hex text of 0 or 16 bytes; absent is the empty byte string. */
export const clientId: Codec<string | null> = {
  toRlp(value, field) {
    if (value === null) return '0x' as Hex;
    return /^0x[0-9a-f]{32}$/.test(value) ? (value as Hex) : invalidField(field, `expected 16 bytes of lower-case hex`);
  },
  fromRlp(item, field) {
    const bytes = itemBytes(item, field);
    if (bytes.length === 0) return null;
    return bytes.length === 16 ? bytesToHex(bytes) : invalidField(field, `expected 0 or 16 bytes, got ${bytes.length}`);
  },
};

/** {@link clientId} that has to be there. */
export const requiredClientId: Codec<string> = {
  toRlp: clientId.toRlp,
  fromRlp: (item, field) => clientId.fromRlp(item, field) ?? invalidField(field, 'expected 16 bytes, got 0'),
};

/** 1 is true, 0 (the empty string) is false. */
export const flag: Codec<boolean> = {
  toRlp: (value) => (value ? 1 : 0),
  fromRlp: (item, field) => integer(0, 1).fromRlp(item, field) === 1,
};

/** One of fixed words, as its number; the first word has number `base`. */
export function oneOf<const T extends string>(words: readonly T[], base = 0): Codec<T> {
  const code = integer(base, base + words.length - 1);
  return {
    toRlp(value, field) {
      const index = words.indexOf(value);
      return index >= 0 ? base + index : invalidField(field, `expected ${words.join(' | ')}, got ${value}`);
    },
    fromRlp: (item, field) => words[code.fromRlp(item, field) - base]!,
  };
}

const emptyList: readonly RlpValue[] = [];

/** Absent is the empty list (0xc0), which no other field type here uses for a value. */
export function nullable<T>(inner: Codec<T>): Codec<T | null> {
  return {
    toRlp: (value, field) => (value === null ? emptyList : inner.toRlp(value, field)),
    fromRlp: (item, field) => (!isBytes(item) && item.length === 0 ? null : inner.fromRlp(item, field)),
  };
}

/** A list with any number of entries of one type. @param limit most entries, in both directions */
export function listOf<T>(inner: Codec<T>, limit = Number.MAX_SAFE_INTEGER): Codec<readonly T[]> {
  const check = (length: number, field: string): void => {
    if (length > limit) invalidField(field, `expected at most ${limit} entries, got ${length}`);
  };
  return {
    toRlp(value, field) {
      check(value.length, field);
      return value.map((entry) => inner.toRlp(entry, field));
    },
    fromRlp(item, field) {
      const items = itemList(item, field);
      check(items.length, field);
      return items.map((entry) => inner.fromRlp(entry, field));
    },
  };
}

/** What a codec reads and writes. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never;
/** What a list holds whose fields have these codecs. */
export type FieldsOf<S> = { readonly [K in keyof S]: ValueOf<S[K]> };
/** Codecs of fields by their names, in the order of the encoding. */
type Shape<S> = { readonly [K in keyof S]: Codec<ValueOf<S[K]>> };

/** A list with one place per field; also usable as the tail of a longer list. */
export interface StructCodec<T> extends Codec<T> {
  readonly fieldCount: number;
  readonly fieldNames: readonly string[];
  /** Appends the fields to a list. */
  append(list: RlpValue[], value: T): void;
  /** Reads the fields from `items[offset]` on. @throws CodecError `CODEC_FIELD_INVALID` unless they are the last */
  readTail(items: readonly RlpItem[], offset: number, field: string): T;
}

/** A list with exactly the fields of the shape, in the order in which the shape names them. */
export const struct = <S extends Shape<S>>(shape: S): StructCodec<FieldsOf<S>> => fieldList(shape, {});

/**
 * A struct that has grown: the fields of `later` are those that later versions added, in the order in which they came to be. Those
 * after the last that a value has are left out, so that a value without any has the bytes that it had before they existed; one that is
 * absent before another is the empty list, which is therefore no value of its own.
 */
export const grownStruct = <S extends Shape<S>, L extends Shape<L>>(
  shape: S,
  later: L,
): StructCodec<FieldsOf<S> & { readonly [K in keyof L]?: ValueOf<L[K]> | undefined }> => fieldList(shape, later);

function fieldList<T extends object>(shape: object, later: object): StructCodec<T> {
  const fields = Object.entries(shape) as [string, Codec<unknown>][];
  const laterFields = Object.entries(later) as [string, Codec<unknown>][];
  const append = (list: RlpValue[], value: T): void => {
    const record = value as Record<string, unknown>;
    for (const [name, codec] of fields) list.push(codec.toRlp(record[name], name));
    let present = list.length;
    for (const [name, codec] of laterFields) {
      const entry = record[name];
      const item = entry === undefined ? emptyList : codec.toRlp(entry, name);
      if (entry !== undefined && Array.isArray(item) && item.length === 0)
        invalidField(name, 'leave it out: the empty list means that it is absent');
      list.push(item);
      if (entry !== undefined) present = list.length;
    }
    list.length = present;
  };
  const readTail = (items: readonly RlpItem[], offset: number, field: string): T => {
    const count = items.length - offset;
    if (count < fields.length || count > fields.length + laterFields.length)
      return invalidField(field, `expected ${fieldCounts(fields.length, laterFields.length)} fields, got ${count}`);
    const value: Record<string, unknown> = {};
    for (let index = 0; index < fields.length; index++) {
      const [name, codec] = fields[index]!;
      value[name] = codec.fromRlp(items[offset + index]!, name);
    }
    for (let index = fields.length; index < count; index++) {
      const [name, codec] = laterFields[index - fields.length]!;
      const item = items[offset + index]!;
      const isAbsent = !isBytes(item) && item.length === 0;
      if (isAbsent && index === count - 1) return invalidField(name, 'a last field that is absent has no place');
      if (!isAbsent) value[name] = codec.fromRlp(item, name);
    }
    return value as T;
  };
  return {
    fieldCount: fields.length,
    fieldNames: fields.map(([name]) => name),
    append,
    readTail,
    toRlp(value) {
      const list: RlpValue[] = [];
      append(list, value);
      return list;
    },
    fromRlp: (item, field) => readTail(itemList(item, field), 0, field),
  };
}

const fieldCounts = (least: number, later: number): string =>
  later === 0 ? `${least}` : `${least} to ${least + later}`;
