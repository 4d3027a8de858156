import { describe, expect, it } from '@jest/globals';
import { encodeRlp, type RlpItem } from '@prime/codec';
import { noRound } from '@prime/primitives';
import { NetworkError } from '../errors.ts';
import {
  address,
  decodeWith,
  type Field,
  fieldReader,
  guarded,
  hash,
  integer,
  listOf,
  optional,
  round,
  sized,
  tuple,
} from './fields.ts';

const reader = fieldReader('test');
const bytes = (length: number, value = 1): Uint8Array => new Uint8Array(length).fill(value);
/** What a field makes of an item; the reason where it refuses it. */
function read<T>(field: Field<T>, item: RlpItem | undefined): T | string {
  try {
    return field.read(item, reader);
  } catch (error) {
    if (error instanceof NetworkError && error.code === 'NETWORK_MESSAGE_MALFORMED') return error.message;
    throw error;
  }
}

describe('fields of messages', () => {
  it.each([
    [19, false],
    [20, true],
    [21, false],
  ])('an address has 20 bytes: %d', (length, isTaken) => {
    expect(read(address, bytes(length)) === `0x${'01'.repeat(20)}`).toBe(isTaken);
  });

  it.each([
    [31, false],
    [32, true],
    [33, false],
  ])('a hash has 32 bytes: %d', (length, isTaken) => {
    expect(read(hash, bytes(length)) === `0x${'01'.repeat(32)}`).toBe(isTaken);
    expect(typeof read(sized(32), bytes(length)) !== 'string').toBe(isTaken);
  });

  it('an integer has no leading zero, at most 7 bytes, and at most its maximum', () => {
    expect(read(integer(), new Uint8Array(0))).toBe(0);
    expect(read(integer(), Uint8Array.of(0))).toMatch('not a canonical integer');
    expect(read(integer(), Uint8Array.of(0x1f, ...bytes(6, 0xff)))).toBe(Number.MAX_SAFE_INTEGER);
    expect(read(integer(), Uint8Array.of(0x20, ...bytes(6, 0)))).toMatch('is above');
    expect(read(integer(), bytes(8))).toMatch('not a canonical integer');
    expect([9, 10].map((value) => read(integer(10), Uint8Array.of(value)))).toEqual([9, 10]);
    expect(read(integer(10), Uint8Array.of(11))).toMatch('11 is above 10');
  });

  it('a round is one of 31 bits, or none', () => {
    expect(read(round, new Uint8Array(0))).toBe(noRound);
    expect(read(round, Uint8Array.of(0x80, 0, 0, 0))).toBe(0x7fffffff);
    expect(read(round, Uint8Array.of(0x80, 0, 0, 1))).toMatch('is above');
  });

  it('lists, bytes and what is missing are told apart', () => {
    expect(read(hash, [])).toMatch('expected a byte string');
    expect(read(hash, undefined)).toMatch('expected a byte string');
    expect(read(listOf(integer()), bytes(1))).toMatch('expected a list');
    expect(read(listOf(integer()), undefined)).toMatch('expected a list');
    expect(read(optional(hash), new Uint8Array(0))).toBeNull();
    expect(read(optional(hash), bytes(31))).toMatch('expected 32 bytes, got 31');
  });

  it.each([
    [1, 'expected 2 fields, got 1'],
    [2, null],
    [3, 'expected 2 fields, got 3'],
  ])('a tuple of two has two: %d', (count, reason) => {
    const pair = tuple<{ a: number; b: number }>({ a: integer(), b: integer() });
    const found = read(
      pair,
      Array.from({ length: count }, (_, index) => Uint8Array.of(index + 1)),
    );
    if (reason === null) expect(found).toEqual({ a: 1, b: 2 });
    else expect(found).toMatch(reason);
  });
});

describe('decoding what a peer sent', () => {
  it('bytes that are no RLP are malformed, and a bug of the decoder passes', () => {
    expect(() => decodeWith('test', bytes(1, 0xc1), (item) => item)).toThrow(
      expect.objectContaining({ code: 'NETWORK_MESSAGE_MALFORMED' }),
    );
    expect(decodeWith('test', encodeRlp([1]), (item) => item)).toEqual([Uint8Array.of(1)]);
    expect(() =>
      guarded('test', () => {
        throw new TypeError('a bug');
      }),
    ).toThrow(TypeError);
  });
});
