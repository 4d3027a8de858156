import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  bigintToBytes,
  bytesEqual,
  bytesToAddress,
  bytesToBigint,
  bytesToHash,
  bytesToHex,
  bytesToUtf8,
  compareBytes,
  compareStrings,
  concatBytes,
  hexToBytes,
  parseAddress,
  parseHash,
  parseHex,
  utf8ToBytes,
} from './bytes.ts';

const malformed = expect.objectContaining({ code: 'HEX_MALFORMED' });
const anyBytes = fc.uint8Array({ maxLength: 200, size: 'max' });

describe('hex', () => {
  it('bytes to hex and back, as Node writes it', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const hex = bytesToHex(bytes);
        expect(hex).toBe(`0x${Buffer.from(bytes).toString('hex')}`);
        expect(hexToBytes(hex)).toEqual(bytes);
        expect(hexToBytes(hex.toUpperCase().replace('0X', '0x'))).toEqual(bytes);
      }),
    );
  });

  it('are the same hex where there is no Buffer, as in browsers', () => {
    const bytes = Uint8Array.from({ length: 128 }, (_, index) => index * 2);
    const program = `
      delete globalThis.Buffer;
      const { bytesToHex } = await import(${JSON.stringify(new URL('bytes.js', import.meta.url).href)});
      console.log(bytesToHex(Uint8Array.from({ length: 128 }, (_, index) => index * 2)), bytesToHex(new Uint8Array(0)));`;
    const found = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(found.trim()).toBe(`${bytesToHex(bytes)} 0x`);
  });

  it.each(['', '0', 'x', '00', '0X00', '0x0', '0xg0', '0x0g', '0x é', ' 0x00', '0x00 ', '0x00\n'])(
    '%j is refused by everything that reads hex',
    (text) => {
      expect(() => hexToBytes(text)).toThrow(malformed);
      expect(() => parseHex(text)).toThrow(malformed);
      expect(() => parseAddress(text)).toThrow(malformed);
      expect(() => parseHash(text)).toThrow(malformed);
    },
  );

  it('a wanted length is exact', () => {
    expect(hexToBytes('0x0102', 2)).toEqual(Uint8Array.of(1, 2));
    expect(() => hexToBytes('0x0102', 1)).toThrow(malformed);
    expect(() => bytesToAddress(new Uint8Array(19))).toThrow(malformed);
    expect(() => bytesToHash(new Uint8Array(33))).toThrow(malformed);
  });

  it('addresses and hashes come out in lower case', () => {
    expect(parseAddress(`0x${'aB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`);
    expect(parseHash(`0x${'Cd'.repeat(32)}`)).toBe(`0x${'cd'.repeat(32)}`);
    expect(parseHex('0xEF')).toBe('0xef');
  });

  it('the error shows what was given, clipped', () => {
    expect(() => hexToBytes(`zz${'1'.repeat(200)}`)).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ value: `zz${'1'.repeat(75)}...` }) }),
    );
  });
});

describe('byte strings', () => {
  it('compare as Node compares them, and equal means equal', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b));
        expect(bytesEqual(a, b)).toBe(Buffer.compare(a, b) === 0);
        expect(bytesEqual(a, a.slice())).toBe(true);
        expect(concatBytes(a, b)).toEqual(new Uint8Array(Buffer.concat([a, b])));
      }),
    );
    expect(['b', 'a', 'ab'].sort(compareStrings)).toEqual(['a', 'ab', 'b']);
  });

  it('unsigned integers: big-endian, no leading zero, there and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), (value) => {
        const bytes = bigintToBytes(value);
        expect(bytesToBigint(bytes)).toBe(value);
        expect(bytes[0]).not.toBe(0);
      }),
    );
    expect(bigintToBytes(0n)).toEqual(new Uint8Array(0));
    expect(bytesToBigint(Uint8Array.of(0, 0, 1, 2))).toBe(258n);
    expect(() => bigintToBytes(-1n)).toThrow(RangeError);
  });
});

describe('UTF-8', () => {
  it('text to bytes as TextEncoder does it, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8ToBytes(text)).toEqual(new Uint8Array(new TextEncoder().encode(text)));
      }),
    );
    expect(utf8ToBytes('\ud800x')).toEqual(new Uint8Array(new TextEncoder().encode('\ud800x')));
  });

  it('bytes to text: what a strict decoder takes, and nothing else', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const reference = (bytes: Uint8Array): string | null => {
      try {
        return strict.decode(bytes);
      } catch {
        return null;
      }
    };
    const mixed = fc.oneof(
      anyBytes,
      fc.string({ unit: 'binary' }).map((text) => utf8ToBytes(text)),
      fc
        .tuple(fc.constantFrom(0xc0, 0xc3, 0xe0, 0xed, 0xf0, 0xf4, 0xff), anyBytes)
        .map(([lead, rest]) => concatBytes(Uint8Array.of(lead), rest)),
    );
    fc.assert(
      fc.property(mixed, (bytes) => {
        const text = reference(bytes);
        if (text === null) expect(() => bytesToUtf8(bytes)).toThrow(malformed);
        else expect(bytesToUtf8(bytes)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});
