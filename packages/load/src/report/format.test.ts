import { describe, expect, it } from '@jest/globals';
import { formatted, type Quantity } from './format.ts';

const plain = (value: number | null, quantity: Quantity): string =>
  formatted(value, quantity).replaceAll('\u00a0', ' ');

describe('numbers', () => {
  it.each([
    [0, 'count', '0'],
    [1_234_567, 'count', '1,234,567'],
    [299.94, 'rate', '300/s'],
    [9.994, 'rate', '9.99/s'],
    [0, 'ms', '0 ms'],
    [0.0456, 'ms', '45.6 µs'],
    [0.999, 'ms', '999 µs'],
    [1, 'ms', '1 ms'],
    [12.345, 'ms', '12.3 ms'],
    [-0.375, 'ms', '-375 µs'],
    [999, 'ms', '999 ms'],
    [1000, 'ms', '1 s'],
    [3_600_000, 'ms', '3,600 s'],
    [0, 'bytes', '0 B'],
    [999, 'bytes', '999 B'],
    [1000, 'bytes', '1 kB'],
    [-48_400_000, 'bytes', '-48.4 MB'],
    [33_554_432_000, 'bytes', '33.6 GB'],
    [0.003_27, 'share', '0.33 %'],
    [1, 'share', '100 %'],
    [0.123, 'cores', '0.12'],
    [0, 'seconds', '0:00'],
    [59.4, 'seconds', '0:59'],
    [61, 'seconds', '1:01'],
    [3661, 'seconds', '1:01:01'],
    [-5, 'seconds', '-0:05'],
    [-0.2, 'seconds', '0:00'],
    [1, 'percentile', '0 %'],
    [10, 'percentile', '90 %'],
    [1000, 'percentile', '99.9 %'],
    [100_000, 'percentile', '99.999 %'],
    [null, 'ms', '–'],
    [Number.NaN, 'rate', '–'],
  ] as const)('%p as %s are %s', (value, quantity, words) => {
    expect(plain(value, quantity)).toBe(words);
  });

  it('are never parted from their unit by the end of a line', () => {
    expect(formatted(99, 'ms')).toBe('99\u00a0ms');
  });
});
