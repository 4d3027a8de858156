import { describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import { LoadError } from '../../errors.ts';
import type { LoopClock } from '../../openLoop.ts';
import type { Operation } from '../../scenario/operation.ts';
import type { Call } from '../answers.ts';
import type { ReplayStep } from './replayOf.ts';
import { sendReplay, type SendReplayOptions } from './sendReplay.ts';

/** Time goes on when somebody waits for it. */
class FakeClock implements LoopClock {
  #now = 0;
  nowMs = (): number => this.#now;
  wakeAt(atMs: number, wake: () => void): void {
    setImmediate(() => {
      this.#now = Math.max(this.#now, atMs);
      wake();
    });
  }
}

const operation = (name: string, sender = '0xaa'): Operation => ({
  kind: 'order',
  method: 'eth_sendRawTransaction',
  params: `["${name}"]`,
  hash: `hash of ${name}` as Hash,
  sender: sender as Operation['sender'],
});
const step = (line: number, more: Partial<ReplayStep> = {}): ReplayStep => ({
  line,
  dueMs: 0,
  names: [],
  sign: () => [operation(`${line}`)],
  ...more,
});
async function* stream(steps: readonly ReplayStep[]): AsyncGenerator<ReplayStep> {
  yield* steps;
}

/** A node that takes what it is sent, and commits all of it after it was asked some times. */
class FakeNode {
  readonly sent: string[] = [];
  /** Most operations that were sent and not in a block. */
  waitingMost = 0;
  readonly #committed = new Set<string>();
  readonly #asksUntilBlock: number;
  readonly #refuse: (name: string) => Error | null;
  #asks = 0;

  constructor(asksUntilBlock: number, refuse: (name: string) => Error | null = () => null) {
    this.#asksUntilBlock = asksUntilBlock;
    this.#refuse = refuse;
  }

  readonly call: Call = async (method, [first]) => {
    if (method === 'eth_sendRawTransaction') {
      const refused = this.#refuse(String(first));
      if (refused !== null) throw refused;
      this.sent.push(String(first));
      this.waitingMost = Math.max(this.waitingMost, this.sent.length - this.#committed.size);
      return `hash of ${String(first)}`;
    }
    if (method === 'primeorders_getOrder') {
      this.sent.push('asked for an order');
      return (first as { client_id: string }).client_id === '0x01' ? { order_id: '0x9' } : null;
    }
    if (++this.#asks % this.#asksUntilBlock === 0) for (const name of this.sent) this.#committed.add(`hash of ${name}`);
    return this.#committed.has(String(first)) ? {} : null;
  };
}

const inOrder = { speed: null, keepsOrder: true } as const;
const send = (steps: readonly ReplayStep[], node: FakeNode, options: Partial<SendReplayOptions> = {}) =>
  sendReplay(stream(steps), { ...inOrder, call: node.call, clock: new FakeClock(), ...options });
const lines = (count: number): ReplayStep[] => Array.from({ length: count }, (_, index) => step(index + 1));
const refusal = new LoadError('no', { code: 'LOAD_CALL_REFUSED', method: 'm', rpcCode: -32000, words: 'no' });

describe('sendReplay', () => {
  it('sends all in their order, no more ahead of the blocks than the window, and waits for the last one', async () => {
    for (const count of [0, 1, 9, 10, 11, 50]) {
      const node = new FakeNode(3);
      const totals = await send(lines(count), node, { window: 10 });
      expect([count, node.sent]).toEqual([count, lines(count).map(({ line }) => `${line}`)]);
      expect([count, node.waitingMost <= 10]).toEqual([count, true]);
      expect(totals).toMatchObject({ sent: count, unnamed: 0, latestMs: 0 });
    }
  });

  it('asks for the id of an order when all before is in a block, and passes over what names none', async () => {
    const node = new FakeNode(2);
    const named = (line: number, clientId: string): ReplayStep =>
      step(line, {
        names: [{ owner: '0xaa' as never, clientId }],
        sign: ([id]) => (id === null ? [] : [operation(`${line} names ${id}`)]),
      });
    const totals = await send([step(1), named(2, '0x01'), named(3, '0x02'), step(4)], node);
    expect(node.sent).toEqual(['1', 'asked for an order', '2 names 9', 'asked for an order', '4']);
    expect(totals).toMatchObject({ sent: 3, unnamed: 1 });
  });

  it('stops at the first refusal where the order is kept, and counts them where it is not', async () => {
    const refuse = (name: string): Error | null => (name === '3' ? refusal : null);
    const failed = await send(lines(2000), new FakeNode(1, refuse), { window: 10 }).catch((error: LoadError) => error);
    expect((failed as LoadError).detail).toEqual({ code: 'LOAD_REPLAY_STOPPED', line: 3, reason: 'no' });
    const node = new FakeNode(1, refuse);
    const totals = await send(lines(5), node, { keepsOrder: false });
    expect(node.sent).toEqual(['1', '2', '4', '5']);
    expect([...totals.refused]).toEqual([['no', 1]]);
    expect(totals.faults).toBe(0);
    const fault = new LoadError('oh', { code: 'LOAD_CALL_REFUSED', method: 'm', rpcCode: -32603, words: 'oh' });
    const faulty = new FakeNode(1, (name) => (name === '3' ? fault : null));
    expect((await send(lines(5), faulty, { keepsOrder: false })).faults).toBe(1);
  });

  it('stops when the connection is lost, and when something comes into no block', async () => {
    const lost = new LoadError('gone', { code: 'LOAD_CONNECTION_LOST', unanswered: 0 });
    const failed = (refuse: Error | null, asks: number) =>
      send(lines(3), new FakeNode(asks, (name) => (name === '2' ? refuse : null)), { keepsOrder: false }).then(
        () => null,
        ({ detail }: LoadError) => detail,
      );
    expect(await failed(lost, 1)).toEqual({ code: 'LOAD_REPLAY_STOPPED', line: 2, reason: 'gone' });
    expect(await failed(null, Number.POSITIVE_INFINITY)).toEqual({
      code: 'LOAD_REPLAY_STOPPED',
      line: 3,
      reason: 'order hash of 3 is in no block after 60000 ms',
    });
  });

  it('sends at the times of the steps with a speed, and tells how late it was', async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const node = new FakeNode(1);
    const call: Call = (method, params) => {
      if (method === 'eth_sendRawTransaction') times.push(clock.nowMs());
      return node.call(method, params);
    };
    // What is due while the steps are read is late by so much.
    async function* late(): AsyncGenerator<ReplayStep> {
      yield* [step(1, { dueMs: 0 }), step(2, { dueMs: 100 })];
      await new Promise<void>((resolve) => clock.wakeAt(230, resolve));
      yield* [step(3, { dueMs: 200 }), step(4, { dueMs: 300 })];
    }
    const totals = await sendReplay(late(), { speed: 1, keepsOrder: false, call, clock });
    expect(times).toEqual([0, 100, 230, 300]);
    expect(totals).toMatchObject({ sent: 4, latestMs: 30 });
  });
});
