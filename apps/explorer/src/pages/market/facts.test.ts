import { formatBps } from '../../kit/format.ts';
import { expect, it } from '@jest/globals';
import { countdown, fundingShare, leverageText } from './facts.ts';

it.each([
  [62_000, '01:02'],
  [61_001, '01:02'],
  [3_600_000 + 7_000, '1:00:07'],
  [-5, '00:00'],
])('%s ms are %s', (ms, text) => {
  expect(countdown(ms)).toBe(text);
});

it('funding is a share of the mark, where there is one', () => {
  expect(fundingShare(3_000_000_000n, 300n)).toBe(0.01);
  expect(fundingShare(-3_000_000_000n, 300n)).toBe(-0.01);
  expect(fundingShare(1n, null)).toBeNull();
});

it('margin is told as a percentage and as what it lets somebody hold', () => {
  expect([formatBps(1_000), formatBps(1_250), formatBps(5)]).toEqual(['10 %', '12.5 %', '0.05 %']);
  expect([leverageText(1_000), leverageText(1_250), leverageText(3_000)]).toEqual(['10×', '8×', '3.3×']);
});
