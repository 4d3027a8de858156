import { expect, it } from '@jest/globals';
import { readAmount } from './amount.ts';

it.each([
  ['0', 0n],
  ['1', 10n ** 18n],
  ['0.5', 5n * 10n ** 17n],
  ['1,000', 10n ** 21n],
  ['1,234,567.5', 1_234_567_5n * 10n ** 17n],
  ['0.000000000000000001', 1n],
])('%s is an amount', (text, wei) => {
  expect(readAmount(text)).toBe(wei);
});

it.each(['', '-1', '1e3', '.5', '1.', 'x', '0.0000000000000000001', '1.2.3', '1,5', '1,0000', ',100'])(
  '%p is none',
  (text) => {
    expect(readAmount(text)).toBeNull();
  },
);
