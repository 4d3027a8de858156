import { describe, expect, it } from '@jest/globals';
import { parseWholeNumber } from './errors.ts';

describe('parseWholeNumber', () => {
  it('takes its bounds and what lies between', () => {
    expect(['1', '50', '100'].map((text) => parseWholeNumber(text, '--validators', 1, 100))).toEqual([1, 50, 100]);
  });

  it.each(['', '0', '101', '-1', '1.0', '1e1', '0x10', ' 7', '٧', 'NaN', '9'.repeat(400)])(
    '%j: CLI_USAGE names the argument',
    (text) => {
      expect(() => parseWholeNumber(text, '--validators', 1, 100)).toThrow(
        expect.objectContaining({ code: 'CLI_USAGE', detail: expect.objectContaining({ argument: '--validators' }) }),
      );
    },
  );
});
