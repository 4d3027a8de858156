import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ThreadError } from './threads.ts';
import type { ThreadName } from './topology.ts';
import { watchThreads } from './watchdog.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A thread that answers while it is well. */
class FakeThread {
  readonly name: ThreadName;
  well = true;
  asked = 0;
  #late: (() => void)[] = [];

  constructor(name: ThreadName) {
    this.name = name;
  }

  readonly status = (): Promise<unknown> => {
    this.asked += 1;
    return this.well ? Promise.resolve({}) : new Promise<void>((resolve) => this.#late.push(resolve));
  };

  recover(): void {
    this.well = true;
    for (const answer of this.#late.splice(0)) answer();
  }
}

function watched(hangMs: number) {
  const threads = [new FakeThread('evm'), new FakeThread('clob')] as const;
  const errors: ThreadError[] = [];
  const end = watchThreads(threads, hangMs, (error) => errors.push(error));
  return { evm: threads[0], clob: threads[1], errors, end };
}
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('a watch over threads', () => {
  it('threads that answer: asked again and again, none is blamed', async () => {
    const { evm, errors, end } = watched(1_000);
    await pass(10_000);
    end();
    expect(evm.asked).toBe(100);
    expect(errors).toEqual([]);
  });

  it('one that is silent for the whole time: named once, with THREAD_HUNG', async () => {
    const { clob, errors } = watched(1_000);
    await pass(2_000);
    clob.well = false;
    await pass(900);
    expect(errors).toEqual([]);
    await pass(10_000);
    expect(errors.map(({ code, detail }) => [code, detail.thread])).toEqual([['THREAD_HUNG', 'clob']]);
  });

  it('one that is silent for less: its time begins anew', async () => {
    const { clob, errors, end } = watched(1_000);
    for (let times = 0; times < 5; times++) {
      clob.well = false;
      await pass(800);
      clob.recover();
      await pass(300);
    }
    end();
    expect(errors).toEqual([]);
  });

  it('0: nothing is asked', async () => {
    const { evm, errors } = watched(0);
    await pass(10_000);
    expect([evm.asked, errors]).toEqual([0, []]);
  });
});
