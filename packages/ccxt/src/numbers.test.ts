import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { decodeClientOrderId, encodeClientOrderId } from './clientOrderId.ts';
import { decimalText, parseDecimalDown, ratioText } from './numbers.ts';
import { plain } from './plain.ts';

describe('decimals', () => {
  it.each([
    [0n, 0, '0'],
    [0n, 18, '0'],
    [-5n, 1, '-0.5'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000_000_000_000_000n, 18, '1.5'],
    [120n, 0, '120'],
    [-120n, 2, '-1.2'],
  ])('%s by 10^%s is %s', (digits, decimals, text) => {
    expect(decimalText(digits, decimals)).toBe(text);
  });

  it('text and back is the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 200n), 2n ** 200n), fc.integer({ min: 0, max: 36 }), (digits, decimals) => {
        expect(parseDecimalDown(decimalText(digits, decimals), decimals)).toBe(digits);
      }),
    );
  });

  it('what is finer is cut off, and what is no number is none', () => {
    expect(parseDecimalDown('1.239', 2)).toBe(123n);
    expect(parseDecimalDown('0.009', 2)).toBe(0n);
    for (const text of ['', '.5', '5.', '1e3', '1,5', ' 1', 'NaN', '0x1'])
      expect([text, parseDecimalDown(text, 2)]).toEqual([text, null]);
  });

  it('ratios are cut behind their decimals', () => {
    expect(ratioText(1n, 3n, 4)).toBe('0.3333');
    expect(ratioText(-1n, 3n, 4)).toBe('-0.3333');
    expect(ratioText(10n, 5n, 4)).toBe('2');
  });
});

describe('client order ids', () => {
  it('text of 1 to 16 printable bytes comes back as it was', () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 16,
    });
    fc.assert(
      fc.property(printable, (text) => {
        expect(decodeClientOrderId(encodeClientOrderId(text))).toBe(text);
      }),
    );
  });

  it('bytes come back as bytes, unless they are text', () => {
    const bytes = `0x${'ab'.repeat(16)}`;
    expect(decodeClientOrderId(encodeClientOrderId(bytes.toUpperCase().replace('0X', '0x')))).toBe(bytes);
    expect(decodeClientOrderId(`0x${'00'.repeat(16)}`)).toBe(`0x${'00'.repeat(16)}`);
    // A zero in the middle is no end of the text.
    expect(decodeClientOrderId(`0x6100${'62'}${'00'.repeat(13)}`)).toBe(`0x610062${'00'.repeat(13)}`);
    expect(decodeClientOrderId(null)).toBeUndefined();
  });

  it.each(['', 'seventeen letters', 'ü'.repeat(9)])('%p is refused', (text) => {
    expect(() => encodeClientOrderId(text)).toThrow('1 to 16 bytes');
  });
});

describe('info', () => {
  it('is JSON with every wei', () => {
    const value = { wei: 2n ** 70n, list: [1n, { deep: 3n }], none: null, gone: undefined, format: () => '' };
    expect(plain(value)).toEqual({ wei: '1180591620717411303424', list: ['1', { deep: '3' }], none: null });
  });
});
