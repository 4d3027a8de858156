import { describe, expect, it } from '@jest/globals';
import { endedOrKilled } from './ending.ts';

describe('a process that was asked to end', () => {
  it('and does: nothing is said, and nobody kills it', async () => {
    const done: string[] = [];
    await endedOrKilled({
      name: 'feeder',
      ended: Promise.resolve(),
      kill: () => done.push('killed'),
      say: (line) => done.push(line),
      timeoutMs: 1,
    });
    expect(done).toEqual([]);
  });

  it('and does not: it is killed, and that is told', async () => {
    const done: string[] = [];
    let end: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const kill = (): void => {
      done.push('killed');
      end();
    };
    await endedOrKilled({ name: 'feeder', ended, kill, say: (line) => done.push(line), timeoutMs: 10 });
    expect(done).toEqual(['feeder did not end within 0.01 s, and was killed', 'killed']);
  });
});
