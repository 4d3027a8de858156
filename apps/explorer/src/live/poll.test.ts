import { describe, expect, it } from '@jest/globals';
import { createPoll } from './poll.ts';

/** Answers are given by hand. */
function asked() {
  const questions: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const load = (): Promise<string> => new Promise((resolve, reject) => void questions.push({ resolve, reject }));
  return { questions, load };
}
/** Until what was answered has gone through all promises. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a poll', () => {
  it('asks nothing before somebody looks, and one question at a time', async () => {
    const { questions, load } = asked();
    const poll = createPoll(load, 3_600_000, 0);
    expect([questions.length, poll.value.value]).toEqual([0, null]);
    const release = poll.hold();
    poll.reload();
    const another = poll.hold();
    expect(questions.length).toBe(1);
    another();
    questions[0]!.resolve('a');
    await settled();
    expect(poll.value.value).toBe('a');
    release();
  });

  it('keeps its value when a later question fails, and tells why; the next answer clears that', async () => {
    const { questions, load } = asked();
    const poll = createPoll(load, 3_600_000, 0);
    const release = poll.hold();
    questions[0]!.resolve('a');
    await settled();
    const error = new Error('away');
    poll.reload();
    questions[1]!.reject(error);
    await settled();
    expect([poll.value.value, poll.error.value]).toEqual(['a', error]);
    poll.reload();
    questions[2]!.resolve('b');
    await settled();
    expect([poll.value.value, poll.error.value]).toEqual(['b', null]);
    release();
  });
});
