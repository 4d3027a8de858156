import { decodeRlp, type RlpItem } from '@prime/codec';
import { bytesToHash, type Hash, isPrimeError } from '@prime/primitives';
import { malformedMessage, NetworkError } from '../errors.ts';

/**
 * Reading of RLP fields of messages that are the network's own; what consensus hashes or signs is read by the codec package.
 */
export interface FieldReader {
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
