import { describe, expect, it } from '@jest/globals';
import { parseAmount } from './amounts.ts';

describe('an amount of the coin', () => {
  it('is exact to its last decimal, also where a float would not be', () => {
    expect(parseAmount('100', 'AMOUNT')).toBe(100n * 10n ** 18n);
    expect(parseAmount('0.000000000000000001', 'AMOUNT')).toBe(1n);
    expect(parseAmount('123456789.123456789123456789', 'AMOUNT')).toBe(123_456_789_123_456_789_123_456_789n);
  });

  it.each(['0', '0.0', '-1', '1e3', '1,5', '.5', '5.', ' 5', '', '0x10', '1.0000000000000000001'])(
    '%j: CLI_USAGE with what is allowed',
    (text) => {
      expect(() => parseAmount(text, 'AMOUNT')).toThrow(
        expect.objectContaining({ code: 'CLI_USAGE', message: expect.stringContaining('AMOUNT must be') }),
      );
    },
  );
});
