import { describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import {
  byteString,
  type Codec,
  clientId,
  flag,
  integer,
  nullable,
  oneOf,
  quantity,
  signedQuantity,
  struct,
  text,
} from './fieldCodecs.ts';
import { decodeRlp, encodeRlp, type RlpItem } from './rlp.ts';

const invalid = expect.objectContaining({ code: 'CODEC_FIELD_INVALID' });
const bytes = (hex: string): RlpItem => hexToBytes(hex);
const through = <T>(codec: Codec<T>, value: T): T =>
  codec.fromRlp(decodeRlp(encodeRlp(codec.toRlp(value, 'field'))), 'field');

/** Both directions refuse: the value to encode, and the bytes that a careless encoder would have made of it. */
function refuses<T>(codec: Codec<T>, values: readonly T[], items: readonly RlpItem[]): void {
  for (const value of values) expect(() => codec.toRlp(value, 'field')).toThrow(invalid as never);
  for (const item of items) expect(() => codec.fromRlp(item, 'field')).toThrow(invalid as never);
}

describe('field codecs', () => {
  it('integer keeps its bounds in both directions', () => {
    expect(through(integer(), Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    refuses(integer(1, 255), [0, 256, 1.5, -1], [bytes('0x'), bytes('0x0100'), bytes('0x00'), bytes('0x0001'), []]);
    refuses(integer(), [2 ** 53], [bytes('0x20000000000000'), bytes('0xffffffffffffff'), bytes('0x0100000000000000')]);
  });

  it('quantity keeps its number of bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        expect(through(quantity(128), value)).toBe(value);
      }),
    );
    refuses(quantity(64), [-1n, 1n << 64n], [bytes('0x010000000000000000'), bytes('0x00'), bytes('0x0001'), []]);
  });

  it('signed quantity has one form for each value and is symmetric', () => {
    const codec = signedQuantity(64);
    const limit = (1n << 64n) - 1n;
    for (const value of [0n, 1n, -1n, 63n, -64n, 64n, limit, -limit, 2n ** 53n, -(2n ** 53n)])
      expect(through(codec, value)).toBe(value);
    expect(codec.toRlp(-1n, 'field')).toBe(1n);
    expect(codec.toRlp(1n, 'field')).toBe(2n);
    refuses(
      codec,
      [limit + 1n, -limit - 2n],
      [bytes('0x020000000000000000'), bytes('0x00'), bytes('0x01000000000000000000')],
    );
  });

  it('text is bounded in bytes and is well-formed UTF-8', () => {
    expect(through(text(8), 'Ünïc')).toBe('Ünïc');
    refuses(
      text(4),
      ['12345', 'ÄÄÄ', '\ud800'],
      [bytes('0x3132333435'), bytes('0xff'), bytes('0xc080'), bytes('0xe282'), []],
    );
  });

  it('bytes are copied, not viewed', () => {
    const source = hexToBytes('0x010203');
    const decoded = byteString().fromRlp(source, 'field');
    source[0] = 9;
    expect(decoded).toEqual(hexToBytes('0x010203'));
  });

  it('flag, word and client id accept exactly their forms', () => {
    refuses(flag, [], [bytes('0x02'), bytes('0x00')]);
    const words = oneOf(['a', 'b'], 1);
    expect(['a' as const, 'b' as const].map((word) => through(words, word))).toEqual(['a', 'b']);
    refuses(words, ['c' as 'a'], [bytes('0x'), bytes('0x03')]);
    expect(through(clientId, null)).toBeNull();
    refuses(clientId, ['0x01', `0x${'AB'.repeat(16)}`], [bytes('0x01'), bytes(`0x${'00'.repeat(17)}`)]);
  });

  it('null is the empty list and nothing else', () => {
    const codec = nullable(integer());
    expect([null, 0, 5].map((value) => through(codec, value))).toEqual([null, 0, 5]);
    refuses(codec, [], [[[]], [bytes('0x01')]]);
  });

  it('struct wants exactly its fields and names the one that is wrong', () => {
    const codec = struct({ a: integer(), b: flag });
    expect(through(codec, { a: 7, b: true })).toEqual({ a: 7, b: true });
    refuses(codec, [], [[bytes('0x01')], [bytes('0x01'), bytes('0x01'), bytes('0x01')], bytes('0x01')]);
    expect(() => codec.fromRlp([bytes('0x01'), bytes('0x05')], 'pair')).toThrow(
      'invalid b: expected an integer 0..1, got 5',
    );
  });
});
