import { describe, expect, it } from '@jest/globals';
import { parseModifyWords, parseOrderId, parsePlaceWords } from './orderWords.ts';

const usage = (argument: string) =>
  expect.objectContaining({ code: 'CLI_USAGE', detail: expect.objectContaining({ argument }) });
const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

describe('the words of a new order', () => {
  it.each(['0.25 ETH-USD @ 3012.55', '0.25 ETH-USD @3012.55', '0.25 ETH-USD at 3012.55', '0.25 ETH-USD 3012.55'])(
    '%s: size, market and price',
    (text) => {
      expect(parsePlaceWords(words(text))).toEqual({ size: '0.25', market: 'ETH-USD', price: '3012.55' });
    },
  );

  it.each([
    ['0.25', 'SIZE'],
    ['', 'SIZE'],
    ['@ 3012', 'SIZE'],
    ['0.25 ETH-USD', 'PRICE'],
    ['0.25 ETH-USD @', 'PRICE'],
    ['0.25 ETH-USD @ 3012 3013', 'PRICE'],
    ['0.25 ETH-USD 3012 3013', 'PRICE'],
    ['0.25 ETH-USD 3012 @ 3013', 'PRICE'],
  ])('"%s": CLI_USAGE says what is missing or too much', (text, argument) => {
    expect(() => parsePlaceWords(words(text))).toThrow(usage(argument));
  });
});

describe('the words of a change', () => {
  it.each([
    ['0.5', { size: '0.5', price: null }],
    ['@ 3010', { size: null, price: '3010' }],
    ['@3010', { size: null, price: '3010' }],
    ['0.5 @ 3010', { size: '0.5', price: '3010' }],
    ['0.5 3010', { size: '0.5', price: '3010' }],
  ])('%s', (text, expected) => {
    expect(parseModifyWords(words(text))).toEqual(expected);
  });

  it.each(['', '@', '0.5 3010 3011', '0.5 3010 @ 3011', '0.5 @ 3010 3011'])('"%s": CLI_USAGE', (text) => {
    expect(() => parseModifyWords(words(text))).toThrow(expect.objectContaining({ code: 'CLI_USAGE' }));
  });
});

describe('the number of an order', () => {
  it('is a whole one above zero', () => {
    expect(['1', '17', '999999999999999'].map(parseOrderId)).toEqual([1, 17, 999_999_999_999_999]);
  });

  it.each(['0', '-1', '1.5', '0x11', 'abc', '', '1'.repeat(16)])('%j is none', (text) => {
    expect(() => parseOrderId(text)).toThrow(usage('ORDER'));
  });
});
