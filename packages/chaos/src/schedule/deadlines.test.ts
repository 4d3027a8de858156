import { describe, expect, it } from '@jest/globals';
import { recoveryMsMax } from './deadlines.ts';
import type { Fault } from './faults.ts';

const deadline = (faults: readonly Fault[], patience = 1): number =>
  recoveryMsMax({ name: '', promise: 'live', hold_ms: 5_000, faults: [...faults] }, { validators: 4, patience });

describe('the time to come back', () => {
  it.each<[number, Fault]>([
    [5_000, { kind: 'kill', validators: [1] }],
    [15_000, { kind: 'kill', validators: [1, 2] }],
    // Nodes 4 and 5 are followers, whose absence is nobody's excuse.
    [5_000, { kind: 'kill', validators: [4, 5] }],
    [5_000, { kind: 'stop', validators: [0, 5] }],
    [10_000, { kind: 'pause', validators: [1] }],
    [5_000, { kind: 'thread', validator: 1, thread: 'evm', how: 'throw' }],
    // The hanging process ends when its watchdog says so, 10 s after the last sign of life.
    [15_000, { kind: 'thread', validator: 1, thread: 'evm', how: 'hang' }],
  ])('%d ms after %j', (expected, fault) => {
    expect(deadline([fault])).toBe(expected);
  });

  it('of several faults the longest counts, times the patience', () => {
    expect(
      deadline(
        [
          { kind: 'kill', validators: [1] },
          { kind: 'pause', validators: [2] },
        ],
        3,
      ),
    ).toBe(30_000);
  });
});
