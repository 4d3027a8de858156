import { describe, expect, it } from '@jest/globals';
import { bytesToHex, hexToBytes, type Hex, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import {
  decodeRlp,
  encodeRlp,
  rlpBytesAt,
  type RlpItem,
  rlpItemAt,
  type RlpValue,
  rlpDepthMax,
  rlpItemsMax,
} from './rlp.ts';

const lorem = 'Lorem ipsum dolor sit amet, consectetur adipisicing elit';
const words = (...texts: readonly string[]): RlpValue => texts.map(utf8ToBytes);

/** Examples of the Ethereum wiki and test suite. */
const known: readonly (readonly [name: string, value: RlpValue, hex: string])[] = [
  ['dog', utf8ToBytes('dog'), '0x83646f67'],
  ['cat and dog', words('cat', 'dog'), '0xc88363617483646f67'],
  ['empty string', new Uint8Array(0), '0x80'],
  ['empty list', [], '0xc0'],
  ['0', 0, '0x80'],
  ['0n', 0n, '0x80'],
  ['byte 0', Uint8Array.of(0), '0x00'],
  ['byte 0x7f', Uint8Array.of(0x7f), '0x7f'],
  ['byte 0x80', Uint8Array.of(0x80), '0x8180'],
  ['15', 15, '0x0f'],
  ['127', 127, '0x7f'],
  ['128', 128, '0x8180'],
  ['1024', 1024, '0x820400'],
  ['1024n', 1024n, '0x820400'],
  ['largest safe integer', Number.MAX_SAFE_INTEGER, '0x871fffffffffffff'],
  ['2^53', 2n ** 53n, '0x8720000000000000'],
  ['2^256-1', 2n ** 256n - 1n, `0xa0${'ff'.repeat(32)}`],
  ['hex text', '0x0400' as Hex, '0x820400'],
  ['hex of one small byte', '0x05' as Hex, '0x05'],
  ['hex of nothing', '0x' as Hex, '0x80'],
  ['von Neumann 3', [[], [[]], [[], [[]]]], '0xc7c0c1c0c3c0c1c0'],
  ['56 bytes', utf8ToBytes(lorem), `0xb838${bytesToHex(utf8ToBytes(lorem)).slice(2)}`],
  ['list of 56 bytes', words(lorem.slice(0, 55)), `0xf838b7${bytesToHex(utf8ToBytes(lorem.slice(0, 55))).slice(2)}`],
];

const toBytes = (value: RlpValue): RlpItem =>
  ArrayBuffer.isView(value)
    ? (value as Uint8Array)
    : Array.isArray(value)
      ? value.map(toBytes)
      : typeof value === 'string'
        ? hexToBytes(value)
        : numberBytes(BigInt(value as number | bigint));

function numberBytes(value: bigint): Uint8Array {
  const digits = value === 0n ? '' : value.toString(16);
  return hexToBytes(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`);
}

const item: fc.Arbitrary<RlpValue> = fc.letrec<{ node: RlpValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.uint8Array({ maxLength: 70 }),
    fc.maxSafeNat(),
    fc.bigInt({ min: 0n, max: 1n << 270n }),
    fc.uint8Array({ maxLength: 40 }).map(bytesToHex),
    fc.array(tie('node'), { maxLength: 8 }),
  ),
})).node;

const malformed = expect.objectContaining({ code: 'CODEC_RLP_MALFORMED' });

describe('RLP', () => {
  it('encodes the known examples, and decodes them to the same bytes', () => {
    for (const [name, value, hex] of known) {
      expect([name, bytesToHex(encodeRlp(value))]).toEqual([name, hex]);
      expect([name, decodeRlp(hexToBytes(hex))]).toEqual([name, toBytes(value)]);
    }
  });

  it('numbers on both sides of each length in bytes are the shortest that there is', () => {
    for (let length = 1; length <= 7; length++)
      for (const value of [256n ** BigInt(length) - 1n, 256n ** BigInt(length), 256n ** BigInt(length) + 1n]) {
        if (value > BigInt(Number.MAX_SAFE_INTEGER)) continue;
        const digits = numberBytes(value);
        const expected = bytesToHex(Uint8Array.of(0x80 + digits.length, ...digits));
        expect([value, bytesToHex(encodeRlp(Number(value)))]).toEqual([value, expected]);
      }
  });

  it('round-trips any value', () => {
    fc.assert(
      fc.property(item, (value) => {
        const bytes = encodeRlp(value);
        const decoded = decodeRlp(bytes);
        expect(decoded).toEqual(toBytes(value));
        expect(encodeRlp(decoded)).toEqual(bytes);
      }),
    );
  });

  it('decodes random bytes only when they are the encoding of what it returns', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
        let decoded: RlpItem;
        try {
          decoded = decodeRlp(bytes);
        } catch (error) {
          expect(error).toEqual(malformed);
          return;
        }
        accepted++;
        expect(encodeRlp(decoded)).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('refuses what is not canonical or not complete', () => {
    const bad: Readonly<Record<string, string>> = {
      nothing: '0x',
      'trailing byte': '0x0101',
      'small byte with a prefix': '0x8105',
      'string cut short': '0x83646f',
      'list cut short': '0xc20f',
      'item longer than its list': '0xc283646f',
      'long form of 55 bytes': `0xb837${'00'.repeat(55)}`,
      'long form of an empty list': '0xf800',
      'length with a leading zero': `0xb90038${'00'.repeat(56)}`,
      'length of seven bytes': '0xbe01000000000000',
      'huge length': '0xbbffffffff',
      'length cut short': '0xb9',
      'list with trailing item': '0xc10101',
    };
    for (const [name, hex] of Object.entries(bad))
      expect(() => {
        decodeRlp(hexToBytes(hex));
        throw new Error(`${name} was accepted`);
      }).toThrow(malformed as never);
  });

  it('shows one item of a list with its header, and none that is not there', () => {
    const items = [
      0,
      127,
      128,
      `0x${'ab'.repeat(55)}`,
      `0x${'cd'.repeat(56)}`,
      [],
      [1, [2]],
      [`0x${'ef'.repeat(300)}`],
    ];
    const list = encodeRlp(items as RlpValue);
    for (const [index, item] of items.entries()) expect(rlpItemAt(list, index)).toEqual(encodeRlp(item as RlpValue));
    expect(() => rlpItemAt(list, items.length)).toThrow(/no item 8/);
    for (const hex of ['0x', '0x05', '0x820102', '0xc20181', '0xc382c101'])
      expect(() => rlpItemAt(hexToBytes(hex), 1)).toThrow(malformed as never);
  });

  it('shows the bytes of one item of a list, and of no item that is a list', () => {
    const items = [
      0,
      127,
      128,
      1_000_000,
      '0x',
      `0x${'ab'.repeat(55)}`,
      `0x${'cd'.repeat(56)}`,
      `0x${'ef'.repeat(300)}`,
    ];
    const list = encodeRlp([...items, []] as RlpValue);
    const decoded = decodeRlp(list) as readonly RlpItem[];
    for (const [index] of items.entries()) expect(rlpBytesAt(list, index)).toEqual(decoded[index]);
    for (const index of [items.length, items.length + 1])
      expect(() => rlpBytesAt(list, index)).toThrow(malformed as never);
  });

  it('bounds depth and number of items', () => {
    // Made by hand, from the inside out: the encoder recurses, and this must be deeper than any stack.
    const nested = (depth: number): Uint8Array => {
      const headers: number[] = [0xc0];
      for (let level = 1; level < depth; level++) {
        const size = headers.length;
        if (size <= 55) headers.push(0xc0 + size);
        else if (size < 256) headers.push(size, 0xf8);
        else headers.push(size & 255, size >> 8, 0xf9);
      }
      return Uint8Array.from(headers.reverse());
    };
    expect(encodeRlp(decodeRlp(nested(rlpDepthMax)))).toEqual(nested(rlpDepthMax));
    expect(() => decodeRlp(nested(rlpDepthMax + 1))).toThrow(/nested deeper/);
    expect(() => decodeRlp(nested(20_000))).toThrow(/nested deeper/);
    const many = new Uint8Array(rlpItemsMax + 4).fill(0xc0);
    many.set([0xfa, rlpItemsMax >> 16, (rlpItemsMax >> 8) & 255, rlpItemsMax & 255]);
    expect(() => decodeRlp(many)).toThrow(/items/);
  });

  it('refuses to encode negative, fractional and unsafe numbers and text that is not hex', () => {
    for (const value of [-1, 1.5, 2 ** 53, Number.NaN, -1n]) expect(() => encodeRlp(value)).toThrow(RangeError);
    for (const value of ['0xAB', '0xzz']) expect(() => encodeRlp(value as Hex)).toThrow(RangeError);
  });
});
