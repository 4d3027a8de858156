import { describe, expect, it } from '@jest/globals';
import { answerBatch, type BatchAnswers, CallBatches, type CallBatchesOptions } from './callBatches.ts';
import { JobQueue } from './jobQueue.ts';

/** A reader that notes its batches and carries out a batch when it is told to. */
function reader() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const batches: { readonly names: readonly unknown[]; readonly work: (until?: number) => Promise<void> }[] = [];
  let changed: () => void = () => undefined;
  const run: CallBatchesOptions['run'] = (calls, claims) =>
    new Promise<BatchAnswers>((resolve, reject) => {
      const answer = async (args: readonly unknown[]) => {
        if (args[0] === 'hang') throw new Error('ended');
        if (args[0] === 'slow') await released;
        return args[0] === 'fail'
          ? { error: { code: 'EVM_NODE_MISSING', message: 'gone', detail: { code: 'EVM_NODE_MISSING' } } }
          : { value: `${String(args[0])} done` };
      };
      batches.push({
        names: calls.map(([name]) => name),
        work: () => answerBatch(calls, claims, answer).then(resolve, reject),
      });
      changed();
    });
  const next = async (count: number): Promise<void> => {
    while (batches.length < count) await new Promise<void>((resolve) => (changed = resolve));
  };
  return { batches, run, next, release };
}

const open = (slots = 1, waitingMax = 1_000) => {
  const { batches, run, next, release } = reader();
  const refuse = (): Error => new Error('busy');
  const queue = new JobQueue({ slots, waitingMax, waitMs: () => 60_000, refuse });
  return { batches, next, release, queue, calls: new CallBatches({ queue, run }) };
};

describe('calls that wait for a reader', () => {
  it('go to it together, each with its own answer or error', async () => {
    const { batches, next, calls } = open();
    const ask = (names: readonly string[]) =>
      names.map((name) => calls.call([name]).catch(({ code }) => code as string));
    const early = ask(['a', 'b']);
    await next(1);
    const late = ask(['c', 'fail', 'd']);
    await batches[0]!.work();
    await next(2);
    await batches[1]!.work();
    expect(batches.map(({ names }) => names)).toEqual([
      ['a', 'b'],
      ['c', 'fail', 'd'],
    ]);
    expect(await Promise.all([...early, ...late])).toEqual([
      'a done',
      'b done',
      'c done',
      'EVM_NODE_MISSING',
      'd done',
    ]);
  });

  it('need not wait for a slow one among them: they go to the next reader that is free', async () => {
    const { batches, next, release, calls } = open(3);
    const answers = ['a', 'slow', 'b'].map((name) => calls.call([name]));
    await next(1);
    const slow = batches[0]!.work();
    // After a while what is done already, and what is not begun, is sent anew.
    await next(2);
    expect(batches.map(({ names }) => names)).toEqual([
      ['a', 'slow', 'b'],
      ['a', 'b'],
    ]);
    await batches[1]!.work();
    expect(await Promise.all([answers[0], answers[2]])).toEqual(['a done', 'b done']);
    release();
    await slow;
    expect(await answers[1]).toBe('slow done');
  });

  it('fail alone when they end their reader; those beside them are sent again', async () => {
    const { batches, next, calls } = open();
    const answers = ['a', 'hang', 'b'].map((name) => calls.call([name]).catch((error: Error) => error.message));
    await next(1);
    await batches[0]!.work();
    await next(2);
    await batches[1]!.work();
    expect(batches.map(({ names }) => names)).toEqual([
      ['a', 'hang', 'b'],
      ['a', 'b'],
    ]);
    expect(await Promise.all(answers)).toEqual(['a done', 'ended', 'b done']);
  });

  it('are refused when too many wait, and when the queue closes', async () => {
    const { batches, next, calls, queue } = open(1, 4);
    const ask = (count: number) =>
      Array.from({ length: count }, (_, index) => calls.call([index]).catch((error: Error) => error.message));
    const early = ask(5);
    await next(1);
    expect(await Promise.all(early.slice(3))).toEqual(['busy', 'busy']);
    const late = ask(1);
    queue.close();
    expect(await Promise.all(late)).toEqual(['busy']);
    await batches[0]!.work();
    expect(await Promise.all(early.slice(0, 3))).toEqual(['0 done', '1 done', '2 done']);
  });
});
