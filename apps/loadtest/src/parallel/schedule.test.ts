import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RecordedItem, schedule, sequentialMicros } from './schedule.ts';

const free = { executionMicros: 0, validationMicros: 0 };
const item = (micros: number, reads: readonly string[], writes: readonly string[]): RecordedItem => ({
  kind: 'item',
  micros,
  reads,
  writes,
});
const apart = (count: number): RecordedItem[] =>
  Array.from({ length: count }, (_, index) => item(10, [`key ${index}`], [`key ${index}`]));
const chain = (count: number): RecordedItem[] => Array.from({ length: count }, () => item(10, ['hot'], ['hot']));

describe('schedule', () => {
  it.each([
    [7, 8, 10],
    [8, 8, 10],
    [9, 8, 20],
  ])('%i items without conflicts on %i workers take %i µs', (count, workers, micros) => {
    const { executions, ...made } = schedule(apart(count), workers, free);
    expect([made.micros, executions]).toEqual([micros, count]);
  });

  it('one worker takes as long as nobody beside it, whatever conflicts there are', () => {
    expect(schedule(chain(20), 1, free)).toMatchObject({ micros: 200, executions: 20 });
  });

  it('items that all change one key are no faster with sixteen workers', () => {
    const { micros, executions } = schedule(chain(20), 16, free);
    expect(micros).toBe(sequentialMicros(chain(20)));
    // Those that began before the first one ended ran in vain.
    expect(executions).toBeGreaterThan(20);
  });

  it('who reads too early runs again: two items of which the second needs the first', () => {
    const items = [item(30, [], ['a']), item(10, ['a'], ['b'])];
    expect(schedule(items, 2, free)).toEqual({
      micros: 40,
      executions: 3,
      spans: [
        [0, 30],
        [30, 40],
      ],
    });
  });

  it('each execution pays for itself and for the keys that it read', () => {
    expect(schedule(apart(1), 4, { executionMicros: 3, validationMicros: 2 }).micros).toBe(15);
  });

  it('zero workers and half a worker are refused', () => {
    for (const workers of [0, 0.5]) expect(() => schedule([], workers, free)).toThrow(RangeError);
  });

  const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 3 });
  const items = fc.array(
    fc.record({ kind: fc.constant('item'), micros: fc.integer({ min: 1, max: 50 }), reads: keys, writes: keys }),
    { maxLength: 40 },
  );
  it('is serializable, bounded by work and by one worker, and the same each time', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 17 }), (block, workers) => {
        const made = schedule(block, workers, free);
        const writers = new Map<string, number>();
        block.forEach(({ reads, writes }, index) => {
          // The last execution began when all that it read was final.
          for (const key of reads) {
            const writer = writers.get(key);
            if (writer !== undefined) expect(made.spans[index]![0]).toBeGreaterThanOrEqual(made.spans[writer]![1]);
          }
          for (const key of writes) writers.set(key, index);
        });
        expect(made.micros).toBeGreaterThanOrEqual(sequentialMicros(block) / workers);
        expect(schedule(block, workers, free)).toEqual(made);
      }),
    );
  });
});
