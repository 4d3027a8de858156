import { describe, expect, it } from '@jest/globals';
import { toAsyncIterable } from './asyncIterable.ts';
import { StreamError, streamsClosed } from './errors.ts';

interface Started {
  readonly next: (value: number) => Promise<void>;
  readonly onError: (error: StreamError) => void;
}

function started() {
  const log: string[] = [];
  let told: Started | null = null;
  const loop = toAsyncIterable<number>((next, onError) => {
    log.push('started');
    told = { next, onError };
    return () => log.push('ended');
  });
  return { loop, log, told: (): Started => told! };
}

describe('a watcher as a loop', () => {
  it('begins with the first value that is asked for, and hands on what comes, in order', async () => {
    const { loop, log, told } = started();
    expect(log).toEqual([]);
    const first = loop.next();
    expect(log).toEqual(['started']);
    await told().next(1);
    const taken: number[] = [];
    const waits = [2, 3].map((value) =>
      told()
        .next(value)
        .then(() => taken.push(value)),
    );
    expect(await first).toEqual({ value: 1, done: false });
    expect(taken).toEqual([]);
    expect(await loop.next()).toEqual({ value: 2, done: false });
    await waits[0];
    expect(taken).toEqual([2]);
    expect(await loop.next()).toEqual({ value: 3, done: false });
    await waits[1];
  });

  it('ends the watcher when it is left, also with values that nobody took', async () => {
    const { loop, log, told } = started();
    const seen: number[] = [];
    const first = loop.next();
    void told().next(1);
    await first;
    const waiting = [2, 3].map((value) => told().next(value));
    for await (const value of loop) {
      seen.push(value);
      break;
    }
    await Promise.all(waiting);
    expect([seen, log]).toEqual([[2], ['started', 'ended']]);
    await told().next(4);
    expect(await loop.next()).toEqual({ value: undefined, done: true });
  });

  it('throws what ends it, once, and passes over what does not', async () => {
    const { loop, told } = started();
    const first = loop.next();
    told().onError(new StreamError('slow', { code: 'STREAM_OVERFLOW', fromBlock: 1n, queueMax: 1 }));
    told().onError(streamsClosed());
    await expect(first).rejects.toMatchObject({ code: 'STREAM_CLOSED' });
    expect(await loop.next()).toEqual({ value: undefined, done: true });
  });

  it('hands on what came before the end, then throws', async () => {
    const { loop, told } = started();
    const first = loop.next();
    void told().next(1);
    void told().next(2);
    told().onError(streamsClosed());
    expect([await first, await loop.next()]).toEqual([
      { value: 1, done: false },
      { value: 2, done: false },
    ]);
    await expect(loop.next()).rejects.toMatchObject({ code: 'STREAM_CLOSED' });
  });
});
