import { inspect, isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { PrimeError } from '@prime/primitives';
import fc from 'fast-check';
import { openEndpoint } from './endpoint.ts';
import type { CloseReason } from './errors.ts';
import { createLink, type LinkOptions, readLinkCounters } from './link.ts';
import { closedAfterwards } from './testing/closing.ts';

interface Asking {
  readonly requests: {
    readonly echo: { readonly request: unknown; readonly response: unknown };
    readonly later: { readonly request: number; readonly response: number };
    readonly absent: { readonly request: null; readonly response: null };
  };
  readonly streams: { readonly note: unknown };
}
interface Silent {
  readonly requests: Record<never, never>;
  readonly streams: Record<never, never>;
}

const track = closedAfterwards();

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Both ends in this thread. */
function pair(
  options: Partial<LinkOptions> = {},
  later: (value: number, context: { readonly signal: AbortSignal }) => number | Promise<number> = (value) => value,
) {
  const link = createLink({ name: 'test', ...options });
  const notes: unknown[] = [];
  const waits: number[] = [];
  const asking = track(
    openEndpoint<Asking, Silent>(link.a, { handlers: {}, onAnswered: (waitMs) => void waits.push(waitMs) }),
  );
  const handlers = { echo: (value: unknown) => value, later, note: (value: unknown) => void notes.push(value) };
  const errors: unknown[] = [];
  // `absent` has no handler on purpose, which the types would refuse.
  const answering = track(
    openEndpoint<Silent, Asking>(link.b, {
      handlers: handlers as never,
      onError: (error) => void errors.push(error),
    }),
  );
  return { link, asking, answering, notes, errors, waits };
}

describe('requests', () => {
  it('answers with equal values: bigints of any size, bytes, undefined, nested plain data', async () => {
    const { asking } = pair();
    const leaf = fc.oneof(
      fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }),
      fc.uint8Array({ maxLength: 2000 }),
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.double({ noDefaultInfinity: false }).filter((value) => !Object.is(value, -0)),
      fc.constantFrom(null, undefined, true, false),
    );
    const { value: payload } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('record')),
      list: fc.array(tie('value'), { maxLength: 5 }),
      record: fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        tie('value'),
        { noNullPrototype: true },
      ),
    }));
    await fc.assert(
      fc.asyncProperty(payload, async (value) => {
        // Not toStrictEqual: it takes a key named `constructor` for the class of the value.
        const got = await asking.request('echo', value);
        expect([isDeepStrictEqual(got, value), inspect(got)]).toEqual([true, inspect(value)]);
      }),
      { numRuns: 300 },
    );
  });

  it('gives bytes as a plain Uint8Array of their own memory', async () => {
    const { asking } = pair();
    for (const sent of [
      new Uint8Array(0),
      new Uint8Array(40).fill(7),
      Buffer.alloc(500, 3),
      new Uint8Array(3000).fill(9),
    ]) {
      for (const [shape, got] of [
        ['raw', await asking.request('echo', sent)],
        ['nested', ((await asking.request('echo', { sent })) as { sent: unknown }).sent],
      ] as const) {
        const bytes = got as Uint8Array;
        expect([shape, Object.prototype.toString.call(bytes), Buffer.isBuffer(bytes)]).toEqual([
          shape,
          '[object Uint8Array]',
          false,
        ]);
        expect(bytes.buffer instanceof SharedArrayBuffer).toBe(false);
        expect(Buffer.compare(bytes, sent)).toBe(0);
      }
    }
  });

  it('tells how long each answer and each refusal was waited for, and nothing of what went one way', async () => {
    let answer: (value: number) => void = () => undefined;
    const { asking, waits } = pair({}, () => new Promise<number>((resolve) => (answer = resolve)));
    const before = performance.now();
    const late = asking.request('later', 1);
    asking.send('note', 1);
    await asking.request('echo', 1);
    await expect(asking.request('absent', null)).rejects.toMatchObject({ code: 'BUS_NO_HANDLER' });
    expect(waits.length).toBe(2);
    answer(1);
    await late;
    expect(waits.length).toBe(3);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(waits[2]!).toBeGreaterThan(waits[0]!);
    expect(waits[2]!).toBeLessThanOrEqual(performance.now() - before);
  });

  it('brings an error with its code and detail, anything else as INTERNAL', async () => {
    const { asking } = pair({}, (value) => {
      if (value === 1) throw new PrimeError('no', { code: 'TEST_NO', amount: 2n ** 70n } as never);
      return Promise.reject(new TypeError('odd'));
    });
    await expect(asking.request('later', 1)).rejects.toMatchObject({ code: 'TEST_NO', detail: { amount: 2n ** 70n } });
    await expect(asking.request('later', 2)).rejects.toMatchObject({ code: 'INTERNAL', message: 'odd' });
    await expect(asking.request('absent', null)).rejects.toMatchObject({
      code: 'BUS_NO_HANDLER',
      detail: { name: 'absent' },
    });
  });

  it('an error whose detail can not be encoded still arrives with its code', async () => {
    const { asking } = pair({}, () => {
      throw new PrimeError('no', { code: 'TEST_ODD', odd: Symbol('odd') } as never);
    });
    await expect(asking.request('later', 1)).rejects.toMatchObject({ code: 'TEST_ODD', message: 'no' });
  });

  it('late answer: BUS_DEADLINE, the handler is told, the answer is dropped and the link goes on', async () => {
    let answer: (value: number) => void = () => undefined;
    const aborted: string[] = [];
    const { asking } = pair({}, (value, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(`later ${value}`));
      return new Promise<number>((resolve) => {
        answer = resolve;
      });
    });
    await expect(asking.request('later', 5, { deadlineMs: 20 })).rejects.toMatchObject({
      code: 'BUS_DEADLINE',
      detail: { name: 'later', deadlineMs: 20 },
    });
    expect(await asking.request('echo', 'next')).toBe('next');
    expect(aborted).toEqual(['later 5']);
    answer(5);
    expect(await asking.request('echo', 'after')).toBe('after');
  });

  it('several deadlines: each request ends at its own, also when the later one was asked first', async () => {
    const { asking } = pair({}, () => new Promise<number>(() => undefined));
    const waits = [60, 20, 40].map(async (deadlineMs) => {
      const askedMs = performance.now();
      await expect(asking.request('later', deadlineMs, { deadlineMs })).rejects.toMatchObject({ code: 'BUS_DEADLINE' });
      return performance.now() - askedMs - deadlineMs;
    });
    for (const lateMs of await Promise.all(waits)) expect(lateMs).toBeGreaterThanOrEqual(0);
  });

  it('cancelled: BUS_CANCELLED at once, the handler is told, the slot is free', async () => {
    let running: AbortSignal | null = null;
    const { asking } = pair({ unansweredMax: 1 }, (_value, { signal }) => {
      running = signal;
      return new Promise<number>(() => undefined);
    });
    const controller = new AbortController();
    const request = asking.request('later', 1, { signal: controller.signal });
    await expect(asking.request('echo', 1)).rejects.toMatchObject({
      code: 'BUS_FULL',
      detail: { reason: 'pending', limit: 1 },
    });
    await turn();
    await turn();
    controller.abort(new Error('enough'));
    await expect(request).rejects.toMatchObject({ code: 'BUS_CANCELLED', cause: new Error('enough') });
    expect(await asking.request('echo', 2)).toBe(2);
    expect((running as AbortSignal | null)?.aborted).toBe(true);
    await expect(asking.request('echo', 3, { signal: controller.signal })).rejects.toMatchObject({
      code: 'BUS_CANCELLED',
    });
  });

  it('more async handlers in progress than allowed: BUS_FULL from the other side', async () => {
    const { asking } = pair({ unansweredMax: 2 }, () => new Promise<number>(() => undefined));
    // Given up here, but the handlers go on: only the bound of the answering side holds them.
    for (let index = 0; index < 4; index++) {
      await expect(asking.request('later', index, { deadlineMs: 5 })).rejects.toMatchObject({ code: 'BUS_DEADLINE' });
    }
    await expect(asking.request('later', 9)).rejects.toMatchObject({
      code: 'BUS_FULL',
      detail: { reason: 'handlers', limit: 4 },
    });
  });

  it('refuses what can not be encoded and what is too large, and sends nothing', async () => {
    const { asking, link } = pair({ messageBytesMax: 1000 });
    await expect(asking.request('echo', Symbol('x'))).rejects.toMatchObject({ code: 'BUS_UNENCODABLE' });
    await expect(asking.request('echo', new Uint8Array(1001))).rejects.toMatchObject({
      code: 'BUS_MESSAGE_TOO_LARGE',
      detail: { bytes: 1001, limit: 1000 },
    });
    expect(await asking.request('echo', new Uint8Array(1000))).toHaveLength(1000);
    // Two announcements would be a sign of a refused message that left something behind.
    expect(readLinkCounters(link).a.messages).toBe(2);
  });

  it('a handler whose answer is too large fails with that code', async () => {
    const { asking } = pair({ messageBytesMax: 1000 }, () => 'x'.repeat(2000) as never);
    await expect(asking.request('later', 1)).rejects.toMatchObject({ code: 'BUS_MESSAGE_TOO_LARGE' });
  });
});

describe('backpressure', () => {
  it('send into a full ring: BUS_FULL, everything accepted before arrives, and it goes on after', async () => {
    const { asking, notes, link } = pair({ ringBytes: 4096 });
    let accepted = 0;
    const fill = () => {
      for (;;) {
        asking.send('note', accepted);
        accepted++;
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'BUS_FULL' }));
    expect(accepted).toBeGreaterThan(50);
    await expect(asking.request('echo', 1)).rejects.toMatchObject({
      code: 'BUS_FULL',
      detail: { reason: 'ring', limit: 4096 },
    });
    while (notes.length < accepted) await turn();
    expect(await asking.request('echo', 1)).toBe(1);
    expect(notes).toEqual(Array.from({ length: accepted }, (_, index) => index));
    expect(readLinkCounters(link).a).toMatchObject({ fullRejections: 2, depthBytes: 0 });
  });

  it('sendReliable waits beside a full ring up to its bound, and nothing overtakes it', async () => {
    const { asking, notes, link } = pair({ ringBytes: 4096, outboxMessagesMax: 300 });
    let accepted = 0;
    const fill = () => {
      for (;;) {
        asking.sendReliable('note', { index: accepted, body: new Uint8Array(30) });
        accepted++;
      }
    };
    expect(fill).toThrow(
      expect.objectContaining({ code: 'BUS_FULL', detail: expect.objectContaining({ reason: 'outbox', limit: 300 }) }),
    );
    expect(() => asking.send('note', 'overtaker')).toThrow(expect.objectContaining({ code: 'BUS_FULL' }));
    while (notes.length < accepted) await turn();
    expect(notes.map((note) => (note as { index: number }).index)).toEqual(
      Array.from({ length: accepted }, (_, index) => index),
    );
    asking.send('note', 'last');
    while (notes.length === accepted) await turn();
    expect(notes.at(-1)).toBe('last');
    expect(readLinkCounters(link).a.outboxBytesMax).toBeGreaterThan(300 * 30);
  });

  it('a request that waits when the ring is full: in its order among all that is sent, answered, refused beyond the bound', async () => {
    const { asking, notes } = pair({ ringBytes: 4096, messageBytesMax: 10_000, outboxBytesMax: 20_000 });
    const waits = { whenFull: 'wait' } as const;
    const body = new Uint8Array(4_000);
    const answers: Promise<unknown>[] = [];
    for (let index = 0; index < 5; index++) answers.push(asking.request('echo', body, waits));
    asking.sendReliable('note', 'behind them');
    expect(notes).toEqual([]);
    await expect(asking.request('echo', body)).rejects.toMatchObject({ code: 'BUS_FULL', detail: { reason: 'ring' } });
    await expect(asking.request('echo', new Uint8Array(9_000), waits)).rejects.toMatchObject({
      code: 'BUS_FULL',
      detail: { reason: 'outbox', limit: 20_000 },
    });
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 5 }, () => body));
    expect(await asking.request('echo', 'as before')).toBe('as before');
    expect(notes).toEqual(['behind them']);
  });

  it('sendReliable without waking: handled when something else wakes the other side, before it, or when the link ends', async () => {
    const { asking, notes } = pair();
    await asking.request('echo', 1);
    asking.sendReliable('note', 'first', { wakes: false });
    for (let count = 0; count < 10; count++) await turn();
    expect(notes).toEqual([]);
    await asking.request('echo', 2);
    expect(notes).toEqual(['first']);
    asking.sendReliable('note', 'last', { wakes: false });
    asking.close();
    for (let count = 0; count < 10; count++) await turn();
    expect(notes).toEqual(['first', 'last']);
  });

  it('outbox bound in bytes', () => {
    const { asking } = pair({ ringBytes: 4096, messageBytesMax: 10_000, outboxBytesMax: 20_000 });
    for (let index = 0; index < 2; index++) asking.sendReliable('note', new Uint8Array(10_000));
    expect(() => asking.sendReliable('note', new Uint8Array(10_000))).toThrow(
      expect.objectContaining({ code: 'BUS_FULL', detail: expect.objectContaining({ limit: 20_000 }) }),
    );
  });

  it('bytes handed over may be changed at once', async () => {
    const { asking, notes } = pair({ ringBytes: 4096 });
    const bytes = new Uint8Array(9000).fill(1);
    asking.sendReliable('note', bytes);
    bytes.fill(2);
    while (notes.length === 0) await turn();
    expect((notes[0] as Uint8Array).every((byte) => byte === 1)).toBe(true);
  });
});

describe('closing', () => {
  it('fails what is in flight with BUS_CLOSED on both sides, once, and stays closed', async () => {
    const link = createLink({ name: 'closing' });
    const reasons: [string, CloseReason][] = [];
    const a = openEndpoint<Asking, Silent>(link.a, { handlers: {}, onClose: (reason) => reasons.push(['a', reason]) });
    const handlers = {
      echo: (value: unknown) => value,
      later: () => new Promise<number>(() => undefined),
      absent: () => null,
      note: () => undefined,
    };
    const b = openEndpoint<Silent, Asking>(link.b, { handlers, onClose: (reason) => reasons.push(['b', reason]) });
    const waiting = a.request('later', 1);
    await turn();
    b.close();
    b.close();
    await expect(waiting).rejects.toMatchObject({
      code: 'BUS_CLOSED',
      detail: { link: 'closing', reason: 'peerClosed' },
    });
    await expect(a.request('echo', 1)).rejects.toMatchObject({ code: 'BUS_CLOSED' });
    expect(() => a.send('note', 1)).toThrow(expect.objectContaining({ code: 'BUS_CLOSED' }));
    a.close();
    expect(reasons).toEqual([
      ['b', 'closed'],
      ['a', 'peerClosed'],
    ]);
  });

  it('stream handler fails: onError hears it, the next message is handled', async () => {
    const link = createLink({ name: 'errors' });
    const errors: unknown[] = [];
    const a = track(openEndpoint<Asking, Silent>(link.a, { handlers: {} }));
    const note = (value: unknown): void | Promise<void> => {
      if (value === 'sync') throw new Error('sync');
      if (value === 'async') return Promise.reject(new Error('async'));
    };
    const handlers = { echo: (value: unknown) => value, later: () => 1, absent: () => null, note };
    track(openEndpoint<Silent, Asking>(link.b, { handlers, onError: (error) => errors.push(error) }));
    a.send('note', 'sync');
    a.send('note', 'async');
    expect(await a.request('echo', 1)).toBe(1);
    expect(errors).toEqual([new Error('sync'), new Error('async')]);
  });

  it('refuses options that can not work', () => {
    for (const options of [
      { ringBytes: 5000 },
      { ringBytes: 1024 },
      { pendingMax: 0 },
      { messageBytesMax: 100, outboxBytesMax: 99 },
    ])
      expect(() => createLink({ name: 'bad', ...options })).toThrow(
        expect.objectContaining({ code: 'BUS_OPTIONS_INVALID' }),
      );
  });
});
