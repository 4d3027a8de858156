import { describe, expect, it } from '@jest/globals';
import { Journal } from './journal.ts';

describe('the undo log', () => {
  it.each([
    [1, 1],
    [1, 2],
    [4, 3],
    [4, 4],
    [4, 5],
    [4, 9],
    [1024, 1025],
  ])('with room for %d takes back %d steps, the last first, each as it was noted', (room, count) => {
    const undone: unknown[] = [];
    const journal = new Journal(() => room);
    const mark = journal.mark();
    const noted = Array.from({ length: count }, (_, index): [number, number, number] => [
      1 + (index % 255),
      index + 1,
      index + 0.5,
    ]);
    for (const step of noted) journal.note(...step);
    journal.undoTo(mark, undone, (steps, ...step) => steps.push(step));
    expect(undone).toEqual(noted.toReversed());
    expect(journal.isEmpty).toBe(true);
  });

  it('runs functions in their places among the other steps', () => {
    const undone: unknown[] = [];
    const undo = (steps: unknown[], code: number): unknown => steps.push(code);
    const journal = new Journal(() => 1);
    journal.note(1, 0, 0);
    const mark = journal.mark();
    journal.push(() => undone.push('a'));
    journal.note(2, 0, 0);
    journal.push(() => undone.push('b'));
    journal.undoTo(mark, undone, undo);
    expect(undone).toEqual(['b', 2, 'a']);
    journal.undoTo(0, undone, undo);
    expect(undone).toEqual(['b', 2, 'a', 1]);
  });
});
