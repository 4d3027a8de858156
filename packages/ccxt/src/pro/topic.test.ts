import { describe, expect, it } from '@jest/globals';
import { Topic } from './topic.ts';

const numbers = () => new Topic<readonly number[]>((older, newer) => [...older, ...newer]);

describe('a topic', () => {
  it('settles a call by what comes after it', async () => {
    const topic = numbers();
    const next = topic.next();
    topic.put([1]);
    expect(await next).toEqual([1]);
  });

  it('tells all callers that wait the same', async () => {
    const topic = numbers();
    const waiting = [topic.next(), topic.next()];
    topic.put([1]);
    expect(await Promise.all(waiting)).toEqual([[1], [1]]);
  });

  it('keeps what came between two calls, merged, and tells it once', async () => {
    const topic = numbers();
    topic.put([1]);
    topic.put([2, 3]);
    expect(await topic.next()).toEqual([1, 2, 3]);
    const next = topic.next();
    topic.put([4]);
    expect(await next).toEqual([4]);
  });

  it('keeps the newest where that is how it merges', async () => {
    const topic = new Topic<string>((_older, newer) => newer);
    topic.put('old');
    topic.put('new');
    expect(await topic.next()).toBe('new');
  });

  it('tells who waits and who asks later why it ended, and nothing else', async () => {
    const topic = numbers();
    const waiting = topic.next();
    const reason = new Error('closed');
    topic.end(reason);
    topic.end(new Error('again'));
    topic.put([1]);
    await expect(waiting).rejects.toBe(reason);
    await expect(topic.next()).rejects.toBe(reason);
    expect(topic.isEnded).toBe(true);
  });

  it('does not tell what was unread when it ended', async () => {
    const topic = numbers();
    topic.put([1]);
    topic.end(new Error('closed'));
    await expect(topic.next()).rejects.toThrow('closed');
  });
});
