import { describe, expect, it } from '@jest/globals';
import type { ConsensusMachine, Timeout } from '@prime/consensus';
import type { Height, Round } from '@prime/primitives';
import { HeightTimers } from './heightTimers.ts';
import { ProposerWatch } from './proposerWatch.ts';

const precommitOf = (round: number): Timeout => ({ height: 1 as Height, round: round as Round, step: 'precommit' });

/** Timers whose time a test tells to be over. */
function timersOf() {
  const waiting: (() => void)[] = [];
  const due: number[] = [];
  const clock = {
    nowMs: () => 0,
    monotonicMs: () => 0,
    after: (_delayMs: number, callback: () => void) => {
      waiting.push(callback);
      return () => void waiting.splice(waiting.indexOf(callback), 1);
    },
  };
  const machine = {
    proposer: () => '0x01',
    proposalsFor: () => [],
    hasQuorum: () => true,
  } as unknown as ConsensusMachine;
  const timers = new HeightTimers(
    {
      machine,
      validators: { validators: [] },
      self: null,
      clock,
      proposers: new ProposerWatch(),
      mayReach: () => true,
      onVotedFor: () => undefined,
    },
    ({ round }) => due.push(round),
  );
  const pass = (): void => {
    for (const callback of waiting.splice(0)) callback();
  };
  return { timers, due, pass };
}

describe('timers of a height', () => {
  it('that are held act when they are released, in the order in which they came due, and from then on at once', () => {
    const { timers, due, pass } = timersOf();
    timers.hold();
    timers.schedule(precommitOf(0), 100);
    timers.schedule(precommitOf(1), 100);
    pass();
    expect(due).toEqual([]);
    timers.release();
    expect(due).toEqual([0, 1]);
    timers.schedule(precommitOf(2), 100);
    pass();
    expect(due).toEqual([0, 1, 2]);
  });

  it('that are held when the height ends never act', () => {
    const { timers, due, pass } = timersOf();
    timers.hold();
    timers.schedule(precommitOf(0), 100);
    pass();
    timers.schedule(precommitOf(1), 100);
    timers.stop();
    timers.release();
    pass();
    expect(due).toEqual([]);
  });
});
