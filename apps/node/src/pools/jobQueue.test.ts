import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JobQueue, type Lane } from './jobQueue.ts';

const refusal = new Error('no turn');
const open = (changes: Partial<ConstructorParameters<typeof JobQueue>[0]> = {}): JobQueue =>
  new JobQueue({ slots: 1, waitingMax: 100, waitMs: () => 60_000, refuse: () => refusal, ...changes });

/** A job that runs until it is told to end. */
function held() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { job: () => ended, end };
}

describe('JobQueue', () => {
  it('light jobs go first, but heavy ones get every fifth turn', async () => {
    const queue = open();
    const order: string[] = [];
    const first = held();
    const jobs = [queue.run('light', first.job)];
    const add = (lane: Lane, name: string) => jobs.push(queue.run(lane, async () => void order.push(name)));
    for (let index = 0; index < 2; index++) add('heavy', `h${index}`);
    for (let index = 0; index < 6; index++) add('light', `l${index}`);
    first.end();
    await Promise.all(jobs);
    expect(order).toEqual(['l0', 'l1', 'l2', 'l3', 'h0', 'l4', 'l5', 'h1']);
  });

  it('heavy jobs leave a slot for light ones', async () => {
    const queue = open({ slots: 2 });
    const heavy = [held(), held()];
    const running = heavy.map(({ job }) => queue.run('heavy', job));
    expect(await queue.run('light', async () => 'read')).toBe('read');
    expect(queue.waitingCount).toBe(1);
    for (const { end } of heavy) end();
    await Promise.all(running);
  });

  it('more than may wait: refused at once, heavy ones earlier', async () => {
    const queue = open({ waitingMax: 2 });
    const first = held();
    const running = [queue.run('heavy', first.job)];
    running.push(queue.run('heavy', async () => undefined));
    await expect(queue.run('heavy', async () => undefined)).rejects.toBe(refusal);
    running.push(
      queue.run('light', async () => undefined),
      queue.run('light', async () => undefined),
    );
    await expect(queue.run('light', async () => undefined)).rejects.toBe(refusal);
    first.end();
    await Promise.all(running);
  });

  it('a job that waited too long is refused and never begun', async () => {
    const queue = open({ waitMs: () => 5 });
    const first = held();
    const running = queue.run('light', first.job);
    let begun = false;
    await expect(queue.run('light', async () => void (begun = true))).rejects.toBe(refusal);
    first.end();
    await running;
    expect([begun, await queue.run('light', async () => 'next')]).toEqual([false, 'next']);
  });

  it('a job that fails gives its slot back', async () => {
    const queue = open();
    await expect(queue.run('heavy', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await queue.run('heavy', async () => 1)).toBe(1);
  });

  it('closing refuses those who wait', async () => {
    const queue = open();
    const first = held();
    const running = queue.run('light', first.job);
    const waiting = queue.run('heavy', async () => undefined);
    queue.close();
    await expect(waiting).rejects.toBe(refusal);
    first.end();
    await running;
  });

  it('any mix of jobs: never more than the slots, every job ends once, in the order of its lane', async () => {
    const lane = fc.constantFrom<Lane>('light', 'heavy');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(lane, { maxLength: 60 }), async (slots, lanes) => {
        const queue = open({ slots, waitingMax: 1_000 });
        const running = { light: 0, heavy: 0 };
        const begun: Record<Lane, number[]> = { light: [], heavy: [] };
        const jobs = lanes.map((kind, index) =>
          queue.run(kind, async () => {
            running[kind]++;
            begun[kind].push(index);
            expect(running.light + running.heavy).toBeLessThanOrEqual(slots);
            expect(running.heavy).toBeLessThanOrEqual(Math.max(1, slots - 1));
            await Promise.resolve();
            running[kind]--;
          }),
        );
        await Promise.all(jobs);
        expect(begun.light.length + begun.heavy.length).toBe(lanes.length);
        for (const indexes of Object.values(begun)) expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
      }),
    );
  });
});
