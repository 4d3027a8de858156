import { describe, expect, it } from '@jest/globals';
import type { Address, Hash } from '@prime/primitives';
import type { LoopClock } from '../../openLoop.ts';
import { Dispatcher } from './dispatcher.ts';
import type { Lane, OnOutcome, Outcome } from './lanes.ts';
import { OperationLog, rowsOf } from './operationLog.ts';

/** A lane that keeps what it is given until the test answers it. */
class HandLane implements Lane {
  isUp = true;
  readonly sent: { readonly call: string; readonly onOutcome: OnOutcome }[] = [];
  get unanswered(): number {
    return this.sent.length;
  }
  send(_key: number, call: string, onOutcome: OnOutcome): void {
    this.sent.push({ call, onOutcome });
  }
  close(): void {
    this.isUp = false;
  }
  calls(): string[] {
    return this.sent.map(({ call }) => JSON.parse(`{${call}}`).params[0] as string);
  }
}

function scene(lanes = 1) {
  let nowMs = 0;
  let wakes: { readonly atMs: number; readonly wake: () => void }[] = [];
  const clock: LoopClock = { nowMs: () => nowMs, wakeAt: (atMs, wake) => void wakes.push({ atMs, wake }) };
  const own = Array.from({ length: lanes }, () => new HandLane());
  const log = new OperationLog();
  const dispatcher = new Dispatcher({ lanes: own, log, clock, nowMs: clock.nowMs, answerMs: 1000 });
  let place = 0;
  const ended: string[] = [];
  return {
    lanes: own,
    dispatcher,
    ended,
    pass(ms: number): void {
      nowMs += ms;
      const due = wakes.filter(({ atMs }) => atMs <= nowMs);
      wakes = wakes.filter(({ atMs }) => atMs > nowMs);
      for (const { wake } of due) wake();
    },
    send(text: string, sender: number | null, dueMs = nowMs): void {
      const operation = {
        kind: 'k',
        method: 'eth_sendRawTransaction',
        params: JSON.stringify([text]),
        hash: sender === null ? null : (`0x${text}` as Hash),
        sender: sender === null ? null : (`0x${sender.toString(16).padStart(8, '0').padEnd(40, '0')}` as Address),
      };
      dispatcher.dispatch({ operation, place: sender === null ? null : place++ }, dueMs, () => void ended.push(text));
    },
    answer(lane: number, outcome: Outcome): void {
      own[lane]!.sent.shift()!.onOutcome(outcome);
    },
    take: () => log.take({ underWay: 0, waiting: 0, up: [], cpuSeconds: 0 }),
  };
}

const ok: Outcome = { kind: 'acknowledged', result: '0x' };
const lost: Outcome = { kind: 'unknown', reason: 'gone' };
const refused = (code: number, message = 'no'): Outcome => ({ kind: 'refused', code, message, data: null });
const busy = refused(-32_005, 'node is busy');

describe('Dispatcher', () => {
  it('tells each operation with its times and its outcome, once', () => {
    const { send, answer, pass, take, ended } = scene();
    send('0x50a', 1, 0);
    pass(7);
    send('0x50b', 2, 5);
    pass(3);
    answer(0, ok);
    pass(10);
    answer(0, refused(-32_003, 'nonce 17 too low for 0xabc'));
    expect(ended).toEqual(['0x50a', '0x50b']);
    const { rows, kinds, errors, refusals } = take();
    expect(refusals).toEqual([{ kind: 'k', code: -32_003, words: 'nonce … too low for 0x…', count: 1 }]);
    expect([...rowsOf(rows)]).toEqual([
      { place: 0, url: 0, scheduledMs: 0, sentMs: 0, endMs: 10, outcome: 0 },
      { place: 1, url: 0, scheduledMs: 5, sentMs: 7, endMs: 20, outcome: 1 },
    ]);
    expect(kinds[0]).toMatchObject({ scheduled: 2, sent: 2, acknowledged: 1, refused: 1, unknown: 0, late: 0 });
    expect(errors).toEqual([{ code: -32_003, words: 'nonce … too low for 0x…', count: 1 }]);
  });

  it('a native action that is lost or refused is not sent again', () => {
    const { send, answer, lanes, pass, take } = scene();
    for (const [text, outcome] of [
      ['0x50a', lost],
      ['0x50b', busy],
    ] as const) {
      send(text, 1);
      answer(0, outcome);
    }
    pass(10_000);
    expect(lanes[0]!.sent).toEqual([]);
    expect(take().kinds[0]).toMatchObject({ refused: 1, unknown: 1, sent: 2 });
  });

  it('what is sent again is no refusal, nor what is refused after an unknown outcome; a fault of the node always is', () => {
    const { send, answer, pass, take } = scene();
    for (const [text, sender, last] of [
      ['0x02a', 1, refused(-32_000, 'nonce too low')],
      ['0x02b', 2, refused(-32_603, 'internal error')],
    ] as const) {
      send(text, sender);
      answer(0, busy);
      pass(100);
      answer(0, lost);
      pass(100);
      answer(0, last);
    }
    const { errors, refusals, kinds } = take();
    expect(errors.map(({ code, count }) => [code, count])).toEqual([
      [-32_005, 2],
      [0, 2],
      [-32_000, 1],
      [-32_603, 1],
    ]);
    expect(kinds[0]).toMatchObject({ refused: 0, unknown: 2 });
    expect(refusals).toEqual([{ kind: 'k', code: -32_603, words: 'internal error', count: 1 }]);
    expect(take().refusals).toEqual([]);
  });

  it('an EVM transaction that did not get through is sent again, and later ones of its sender wait behind it', () => {
    const { send, answer, lanes, pass, take, dispatcher } = scene(2);
    send('0x02a', 2);
    answer(0, busy);
    send('0x02b', 2);
    send('0x02c', 4);
    expect(lanes[0]!.calls()).toEqual(['0x02c']);
    expect(dispatcher.waiting).toBe(2);
    answer(0, ok);
    pass(100);
    expect(lanes[1]!.calls()).toEqual(['0x02a']);
    expect(dispatcher.waiting).toBe(1);
    answer(1, lost);
    pass(100);
    expect(lanes[0]!.calls()).toEqual(['0x02a']);
    answer(0, refused(-32_000, 'already known'));
    pass(100);
    expect(lanes[0]!.calls()).toEqual(['0x02b']);
    answer(0, ok);
    const { kinds, rows, errors } = take();
    expect(kinds[0]).toMatchObject({ scheduled: 3, sent: 3, acknowledged: 3, late: 1 });
    expect([...rowsOf(rows)].map(({ place }) => place)).toEqual([2, 0, 1]);
    expect(errors.map(({ code, count }) => [code, count])).toEqual([
      [-32_005, 1],
      [0, 1],
    ]);
  });

  it('what is refused after it may have got through is unknown', () => {
    const { send, answer, pass, take } = scene();
    send('0x02a', 2);
    answer(0, lost);
    pass(100);
    answer(0, refused(-32_000, 'nonce too low'));
    expect(take().kinds[0]).toMatchObject({ unknown: 1, refused: 0 });
  });

  it('without a node it waits, and counts as late; what is never sent is late for ever', () => {
    const { send, answer, lanes, pass, take, dispatcher, ended } = scene(2);
    for (const lane of lanes) lane.isUp = false;
    send('0x50a', 1);
    pass(100);
    expect(dispatcher.waiting).toBe(1);
    lanes[1]!.isUp = true;
    pass(100);
    expect(lanes[1]!.calls()).toEqual(['0x50a']);
    answer(1, ok);
    lanes[1]!.isUp = false;
    send('0x50b', 1);
    dispatcher.giveUp();
    expect(ended).toEqual(['0x50a', '0x50b']);
    expect(take().kinds[0]).toMatchObject({ scheduled: 2, sent: 1, acknowledged: 1, late: 2 });
  });

  it('no answer for too long is unknown, and a later one is not listened to', () => {
    const { send, lanes, pass, take, dispatcher } = scene();
    send('0x50a', 1);
    pass(1000);
    dispatcher.sweep();
    expect(dispatcher.underWay).toBe(1);
    pass(1);
    dispatcher.sweep();
    expect(dispatcher.underWay).toBe(0);
    lanes[0]!.sent[0]!.onOutcome(ok);
    expect(take().kinds[0]).toMatchObject({ unknown: 1, acknowledged: 0 });
  });

  it('reads have no place, and spread over all nodes', () => {
    const { send, lanes, answer, take } = scene(3);
    for (let index = 0; index < 9; index++) send(`r${index}`, null);
    expect(lanes.map(({ sent }) => sent.length)).toEqual([3, 3, 3]);
    answer(1, ok);
    const { rows, kinds } = take();
    expect([...rows]).toEqual([]);
    expect(kinds[0]).toMatchObject({ scheduled: 9, acknowledged: 1 });
  });
});
