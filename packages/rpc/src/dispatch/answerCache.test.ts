import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AnswerCache, JsonText, quoted, toJson } from './answerCache.ts';

const head = { height: 1 };

/** Asks and counts how often the work was done, which is done late. */
function counting(cache: AnswerCache) {
  const done: string[] = [];
  const ask = (key: string, result: unknown = key, at: object = head) =>
    cache.answer(at, key, () => {
      done.push(key);
      return Promise.resolve(result);
    });
  return { done, ask };
}

describe('answers kept until the next block', () => {
  it('are made once per key and head', async () => {
    const { done, ask } = counting(new AnswerCache(1_000));
    expect([await ask('a'), await ask('a'), await ask('b', { c: 1 })].map(toJson)).toEqual(['"a"', '"a"', '{"c":1}']);
    await ask('a', 'a', { height: 2 });
    await ask('a', 'a', head);
    expect(done).toEqual(['a', 'b', 'a', 'a']);
  });

  it('are shared by all who ask while they are being made', async () => {
    const cache = new AnswerCache(1_000);
    const { done, ask } = counting(cache);
    const result = Promise.resolve(new JsonText('7'));
    expect(await Promise.all([ask('a', result), ask('a', result), ask('a', result)])).toHaveLength(3);
    expect(done).toEqual(['a']);
  });

  it('are not kept when they failed, at once or late', async () => {
    const cache = new AnswerCache(1_000);
    expect(() =>
      cache.answer(head, 'a', () => {
        throw new Error('now');
      }),
    ).toThrow('now');
    await expect(cache.answer(head, 'a', () => Promise.reject(new Error('late')))).rejects.toThrow('late');
    expect(toJson(await cache.answer(head, 'a', () => 1))).toBe('1');
  });

  it('are not kept for a head that came while they were made', async () => {
    const cache = new AnswerCache(1_000);
    let finish: (value: string) => void = () => undefined;
    const late = cache.answer(head, 'a', () => new Promise<string>((resolve) => (finish = resolve)));
    const next = { height: 2 };
    expect(toJson(await cache.answer(next, 'b', () => 'b'))).toBe('"b"');
    finish('old');
    expect(toJson(await late)).toBe('"old"');
    expect(toJson(await cache.answer(next, 'a', () => 'new'))).toBe('"new"');
  });

  it('make room for each other, the oldest first, and are bounded', async () => {
    const { done, ask } = counting(new AnswerCache(200));
    for (let index = 0; index < 20; index++) await ask(`key ${index}`);
    done.length = 0;
    await ask('key 19');
    await ask('key 0');
    expect(done).toEqual(['key 0']);
    await ask('large', 'x'.repeat(50));
    await ask('large', 'x'.repeat(50));
    expect(done).toEqual(['key 0', 'large', 'large']);
  });

  it('are kept when they are asked for again, if they were made at once', () => {
    const cache = new AnswerCache(1_000);
    let made = 0;
    const ask = (key: string, at: object = head) => toJson(cache.answer(at, key, () => ++made));
    expect([ask('a'), ask('b'), ask('a'), ask('a'), ask('b'), ask('b')]).toEqual(['1', '2', '3', '3', '4', '4']);
    const next = { height: 2 };
    expect([ask('a', next), ask('a', next)]).toEqual(['5', '5']);
  });

  it('are not kept at all without memory for them', async () => {
    const { done, ask } = counting(new AnswerCache(0));
    await ask('a');
    await ask('a', Promise.resolve('a'));
    await ask('a');
    expect(done).toEqual(['a', 'a', 'a']);
  });
});

describe('quoted', () => {
  it('is what the library makes of any text', () => {
    const unit = fc.oneof(
      fc.constantFrom('"', '\\', '\u007f', '\u2028', '\ud800', ' ', '~', '\n'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 100 }), (parts) => {
        const text = parts.join('');
        expect(quoted(text)).toBe(JSON.stringify(text));
      }),
    );
  });
});
