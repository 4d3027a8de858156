import { expect, it } from '@jest/globals';
import { parseDuration } from './duration.ts';

it('times are seconds; what is none is CLI_USAGE', () => {
  expect(['90s', '30m', '12h', '7d'].map((text) => parseDuration(text, '--for'))).toEqual([90, 1_800, 43_200, 604_800]);
  for (const wrong of ['', '0s', '5', 'h', '1w', '-1h', '1.5h', '1h30m', '9999999999s'])
    expect(() => parseDuration(wrong, '--for')).toThrow(
      expect.objectContaining({ code: 'CLI_USAGE', detail: { code: 'CLI_USAGE', argument: '--for' } }),
    );
});
