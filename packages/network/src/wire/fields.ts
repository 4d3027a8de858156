import { decodeRlp, type RlpItem, type RlpValue } from '@prime/codec';
import {
  type Address,
  bytesToAddress,
  bytesToHash,
  type Hash,
  isPrimeError,
  noRound,
  type Round,
} from '@prime/primitives';
import { malformedMessage, NetworkError } from '../errors.ts';

/**
 * Reading of RLP fields of messages that are the network's own; what consensus hashes or signs is read by the codec package.
 */
export interface FieldReader {
  /** @throws NetworkError `NETWORK_MESSAGE_MALFORMED`, for a reason that the message itself has */
  fail(reason: string): never;
  list(item: RlpItem | undefined): readonly RlpItem[];
  /** A list with exactly so many items. */
  tuple(item: RlpItem | undefined, length: number): readonly RlpItem[];
  /** A view on the input. */
  bytes(item: RlpItem | undefined): Uint8Array;
  /** Copies: what a message holds outlives the buffer of the socket. */
  payloads(item: RlpItem | undefined): Uint8Array[];
  hashes(item: RlpItem | undefined): Hash[];
  hash(item: RlpItem | undefined): Hash;
  /** Unsigned, without leading zeros. */
  integer(item: RlpItem | undefined, maximum?: number): number;
}

// Array.isArray and not instanceof: bytes may come from another realm.
const isList = (item: RlpItem): item is readonly RlpItem[] => Array.isArray(item);

/** @param message names the message in errors; every method throws NetworkError `NETWORK_MESSAGE_MALFORMED` */
export function fieldReader(message: string): FieldReader {
  const fail = (reason: string): never => {
    throw malformedMessage(message, reason);
  };
  const list = (item: RlpItem | undefined): readonly RlpItem[] =>
    item !== undefined && isList(item) ? item : fail('expected a list');
  const bytes = (item: RlpItem | undefined): Uint8Array =>
    item !== undefined && !isList(item) ? item : fail('expected a byte string');
  const hash = (item: RlpItem | undefined): Hash => {
    const value = bytes(item);
    return value.length === 32 ? bytesToHash(value) : fail(`expected 32 bytes, got ${value.length}`);
  };
  return {
    fail,
    list,
    tuple(item, length) {
      const items = list(item);
      return items.length === length ? items : fail(`expected ${length} fields, got ${items.length}`);
    },
    bytes,
    payloads: (item) => list(item).map((entry) => new Uint8Array(bytes(entry))),
    hashes: (item) => list(item).map(hash),
    hash,
    integer(item, maximum = Number.MAX_SAFE_INTEGER) {
      const value = bytes(item);
      if (value.length > 7 || value[0] === 0) return fail('not a canonical integer');
      let number = 0;
      for (const byte of value) number = number * 256 + byte;
      return number <= maximum ? number : fail(`${number} is above ${maximum}`);
    },
  };
}

/**
 * Runs a decoder and turns what the layers below throw about bad bytes into this package's error.
 *
 * @throws NetworkError `NETWORK_MESSAGE_MALFORMED`
 */
export function decodeWith<T>(message: string, payload: Uint8Array, decode: (item: RlpItem) => T): T {
  return guarded(message, () => decode(decodeRlp(payload)));
}

/**
 * Runs a decoder on bytes of a peer. What it throws with a code becomes `NETWORK_MESSAGE_MALFORMED`, anything else is
 * a bug and passes.
 */
export function guarded<T>(message: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof NetworkError || !isPrimeError(error)) throw error;
    throw malformedMessage(message, error.message, error);
  }
}

/** How a part of a message stands in RLP: written and read by one description. */
export interface Field<T> {
  readonly write: (value: T) => RlpValue;
  /** @throws NetworkError `NETWORK_MESSAGE_MALFORMED` */
  readonly read: (item: RlpItem | undefined, read: FieldReader) => T;
}

/** An unsigned integer, which `T` may brand. */
export const integer = <T extends number = number>(maximum?: number): Field<T> => ({
  write: (value) => value,
  read: (item, read) => read.integer(item, maximum) as T,
});

const roundMax = 0x7fffffff;

/** A round, or none. */
export const round: Field<Round> = {
  write: (value) => value - noRound,
  read: (item, read) => (read.integer(item, roundMax + 1) + noRound) as Round,
};

/** 32 bytes. */
export const hash: Field<Hash> = { write: (value) => value, read: (item, read) => read.hash(item) };

/** Hashes in a list. */
export const hashes: Field<readonly Hash[]> = { write: (value) => value, read: (item, read) => read.hashes(item) };

/** Bytes as they are. */
export const bytes: Field<Uint8Array> = {
  write: (value) => value,
  read: (item, read) => new Uint8Array(read.bytes(item)),
};

/** So many bytes. */
export const sized = (size: number): Field<Uint8Array> => ({
  write: (value) => value,
  read(item, read) {
    const value = bytes.read(item, read);
    return value.length === size ? value : read.fail(`expected ${size} bytes, got ${value.length}`);
  },
});

/** 20 bytes. */
export const address: Field<Address> = {
  write: (value) => value,
  read: (item, read) => bytesToAddress(sized(20).read(item, read)),
};

/** Bytes in a list. */
export const payloads: Field<readonly Uint8Array[]> = {
  write: (value) => value,
  read: (item, read) => read.payloads(item),
};

/** What another module encodes, as a byte string. */
export const coded = <T>(encode: (value: T) => Uint8Array, decode: (bytes: Uint8Array) => T): Field<T> => ({
  write: encode,
  read: (item, read) => decode(read.bytes(item)),
});

const nothing = new Uint8Array(0);

/** The same or nothing, which is the empty byte string. */
export const optional = <T>({ write, read }: Field<T>): Field<T | null> => ({
  write: (value) => (value === null ? nothing : write(value)),
  read: (item, reader) => (reader.bytes(item).length === 0 ? null : read(item, reader)),
});

/** Any number of the same. */
export const listOf = <T>({ write, read }: Field<T>): Field<readonly T[]> => ({
  write: (values) => values.map(write),
  read: (item, reader) => reader.list(item).map((entry) => read(entry, reader)),
});

/** A list of exactly these fields, in the order in which they are named here. */
export function tuple<T extends object>(fields: { readonly [Name in keyof T]-?: Field<T[Name]> }): Field<T> {
  const entries = Object.entries(fields) as [keyof T, Field<unknown>][];
  return {
    write: (value) => entries.map(([name, field]) => field.write(value[name])),
    read: (item, reader) => {
      const items = reader.tuple(item, entries.length);
      return Object.fromEntries(entries.map(([name, field], place) => [name, field.read(items[place], reader)])) as T;
    },
  };
}

/** One field that is the whole message. */
export const only = <Name extends string, T>(name: Name, field: Field<T>): Field<Readonly<Record<Name, T>>> => ({
  write: (value) => field.write(value[name]),
  read: (item, reader) => ({ [name]: field.read(item, reader) }) as Readonly<Record<Name, T>>,
});
