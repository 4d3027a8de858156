import { describe, expect, it } from '@jest/globals';
import { noRound, type Round } from '@prime/primitives';
import { createValidatorSet, type Input } from './index.ts';
import {
  A,
  B,
  C,
  addresses,
  create,
  lockedInRound1,
  locks,
  precommits,
  prevotes,
  proposed,
  run,
  start,
  timeout,
  vote,
} from './testing/machineScript.ts';
import { memberOf } from './testing/members.ts';

describe('a round without trouble', () => {
  it('the proposer asks for a block and proposes it once', () => {
    const machine = create({ self: addresses[0]! });
    expect(run(machine, start)).toEqual(['round 0', 'getValue 0', 'timeout propose 0']);
    const value: Input = { kind: 'ownValue', round: 0 as Round, blockHash: A };
    expect(run(machine, value)).toEqual(['propose 0 A pol -1']);
    expect(run(machine, value)).toEqual(['ignored staleValue']);
    expect(run(machine, proposed(0, A))).toEqual(['prevote 0 A']);
  });

  it('a validator prevotes, precommits and decides with the quorum that it saw', () => {
    const machine = create();
    expect(run(machine, start)).toEqual(['round 0', 'timeout propose 0']);
    expect(run(machine, proposed(0, A))).toEqual(['prevote 0 A']);
    expect(run(machine, prevotes([0, 3], 0, A))).toEqual([]);
    expect(run(machine, prevotes([1], 0, A))).toEqual(['precommit 0 A']);
    expect(locks(machine)).toBe('locked 0 A, valid 0 A');
    expect(run(machine, precommits([0, 3], 0, A))).toEqual([]);
    expect(run(machine, precommits([2], 0, A))).toEqual(['decide 0 A with 3']);
    expect(machine.state).toMatchObject({ step: 'decided', decision: { round: 0, blockHash: A } });
  });

  it('exactly two thirds are not a quorum', () => {
    const six = createValidatorSet(Array.from({ length: 6 }, (_, index) => memberOf(index)));
    const machine = create({ validatorSet: six, self: six.validators[5]!.address });
    run(machine, start, proposed(0, A));
    expect(run(machine, prevotes([0, 1, 2, 3], 0, A))).toEqual([]);
    const fifth = { ...vote('prevote', 0, 0, A), validator: six.validators[4]!.address };
    expect(run(machine, { kind: 'vote', vote: fifth })).toEqual(['precommit 0 A']);
  });

  it('the lock goes along with the vote that makes it', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([0, 1], 0, A));
    const [effect] = machine.step({ kind: 'vote', vote: vote('prevote', 2, 0, A) });
    expect(effect).toMatchObject({
      kind: 'signVote',
      lock: { lockedRound: 0, lockedValue: A, validRound: 0, validValue: A },
    });
  });

  it('an observer follows and decides, and never signs', () => {
    const machine = create({ self: null });
    expect(run(machine, start, proposed(0, A), prevotes([0, 1, 2], 0, A))).toEqual(['round 0', 'timeout propose 0']);
    expect(run(machine, precommits([0, 1, 2], 0, A))).toEqual(['decide 0 A with 3']);
  });
});

describe('nil', () => {
  it('no proposal before the timeout: prevote nil', () => {
    expect(run(create(), start, timeout('propose', 0))).toEqual(['round 0', 'timeout propose 0', 'prevote 0 nil']);
  });

  it('a polka for nil is precommitted at once, without a timer', () => {
    const machine = create();
    run(machine, start, timeout('propose', 0));
    expect(run(machine, prevotes([0, 1, 3], 0, null))).toEqual(['precommit 0 nil']);
  });

  it('a polka for nil while waiting for the proposal: waits on, then prevotes and precommits nil together', () => {
    const machine = create();
    expect(run(machine, start, prevotes([0, 1, 2], 0, null))).toEqual(['round 0', 'timeout propose 0']);
    expect(run(machine, timeout('propose', 0))).toEqual(['prevote 0 nil', 'precommit 0 nil']);
  });

  it('prevotes that do not agree start the prevote timer once; when it passes, precommit nil', () => {
    const machine = create();
    run(machine, start, proposed(0, A));
    expect(run(machine, prevotes([0], 0, A), prevotes([1], 0, null), prevotes([3], 0, A))).toEqual([
      'timeout prevote 0',
    ]);
    expect(run(machine, prevotes([2], 0, B))).toEqual([]);
    expect(run(machine, timeout('prevote', 0))).toEqual(['precommit 0 nil']);
  });

  it('precommits that do not agree start the precommit timer in any step; when it passes, the next round begins', () => {
    const machine = create();
    run(machine, start);
    expect(run(machine, precommits([0, 1], 0, null), precommits([2], 0, A))).toEqual(['timeout precommit 0']);
    expect(run(machine, timeout('precommit', 0)).slice(0, 2)).toEqual(['round 1', 'timeout propose 1']);
  });

  it('an invalid proposal is prevoted nil at once, with or without a polka round', () => {
    const machine = create();
    expect(run(machine, start, proposed(0, A, -1, 'invalid')).at(-1)).toBe('prevote 0 nil');
    run(machine, precommits([0, 1, 2], 0, null), timeout('precommit', 0));
    expect(run(machine, proposed(1, A, 0, 'invalid'))).toEqual(['prevote 1 nil']);
  });

  it('an untimely new block is prevoted nil, and locked all the same when it gets a polka', () => {
    const machine = create();
    expect(run(machine, start, proposed(0, A, -1, 'untimely')).at(-1)).toBe('prevote 0 nil');
    expect(run(machine, prevotes([0, 1, 2], 0, A))).toEqual(['precommit 0 A']);
  });
});

describe('locks', () => {
  it('locked: a new value of the next round gets nil, the locked one is voted for', () => {
    expect(run(lockedInRound1(), proposed(1, B))).toEqual(['prevote 1 nil']);
    expect(run(lockedInRound1(), proposed(1, A))).toEqual(['prevote 1 A']);
  });

  it('a polka in a later round moves the lock to the new value', () => {
    const machine = lockedInRound1();
    run(machine, proposed(1, B));
    expect(run(machine, prevotes([0, 1, 2], 1, B))).toEqual(['precommit 1 B']);
    expect(locks(machine)).toBe('locked 1 B, valid 1 B');
  });

  it('a polka for the locked value renews the lock', () => {
    const machine = lockedInRound1();
    run(machine, proposed(1, A, 0));
    expect(run(machine, prevotes([0, 1, 3], 1, A))).toEqual(['precommit 1 A']);
    expect(locks(machine)).toBe('locked 1 A, valid 1 A');
  });

  it('a polka for nil does not unlock', () => {
    const machine = lockedInRound1();
    run(machine, proposed(1, B));
    expect(run(machine, prevotes([0, 1, 3], 1, null))).toEqual(['precommit 1 nil']);
    expect(locks(machine)).toBe('locked 0 A, valid 0 A');
    run(machine, precommits([0, 1, 2], 1, null), timeout('precommit', 1));
    expect(run(machine, proposed(2, C))).toEqual(['prevote 2 nil']);
  });

  it('another value with a polka from the round of the lock or later is voted for', () => {
    const machine = lockedInRound1();
    run(
      machine,
      prevotes([0, 1, 2], 1, B),
      timeout('propose', 1),
      precommits([0, 1, 2], 1, null),
      timeout('precommit', 1),
    );
    expect(run(machine, proposed(2, B, 1))).toEqual(['prevote 2 B']);
  });

  it('another value with a polka from before the lock gets nil', () => {
    const machine = create();
    run(machine, start, prevotes([0, 1, 2], 0, A), timeout('propose', 0));
    run(machine, precommits([0, 1, 2], 0, null), timeout('precommit', 0));
    run(machine, proposed(1, B), prevotes([0, 1, 3], 1, B), precommits([0, 1, 2], 1, null), timeout('precommit', 1));
    expect(locks(machine)).toBe('locked 1 B, valid 1 B');
    expect(run(machine, proposed(2, A, 0))).toEqual(['prevote 2 nil']);
  });

  it('a proposal with a polka round waits until that polka is here', () => {
    const machine = lockedInRound1();
    run(machine, timeout('propose', 1), precommits([0, 1, 2], 1, null), timeout('precommit', 1));
    expect(run(machine, proposed(2, B, 1), prevotes([0, 1], 1, B))).toEqual([]);
    expect(run(machine, prevotes([2], 1, B))).toEqual(['prevote 2 B']);
  });

  it('polka for an unknown block: fetched and not locked; it is locked when it comes during the prevote step', () => {
    const machine = create();
    run(machine, start, timeout('propose', 0));
    expect(run(machine, prevotes([0, 1, 2], 0, A))).toEqual(['timeout prevote 0', 'fetch prevote 0 A']);
    expect(locks(machine)).toBe('locked -1 nil, valid -1 nil');
    expect(run(machine, proposed(0, A))).toEqual(['precommit 0 A']);
  });

  it('the lock of a sign-state record holds after a restart without a log', () => {
    const lock = { lockedRound: 0 as Round, lockedValue: A, validRound: 0 as Round, validValue: A };
    const machine = create({ resume: { lock, precommit: A } });
    expect(locks(machine)).toBe('locked 0 A, valid 0 A');
    expect(run(machine, start)).toEqual(['round 0', 'precommit 0 A']);
    run(machine, precommits([0, 1, 2], 0, null), timeout('precommit', 0));
    expect(run(machine, proposed(1, B)).at(-1)).toBe('prevote 1 nil');
  });

  it('a restart without a log: the round of the newest signature gets its precommit, and nothing else of it is said again', () => {
    const none = { lockedRound: noRound, lockedValue: null, validRound: noRound, validValue: null };
    const machine = create({ self: addresses[2]!, resume: { lock: none, precommit: null } });
    const resumed = { kind: 'startRound', round: 2 as Round } as const;
    expect(run(machine, resumed)).toEqual(['round 2', 'precommit 2 nil']);
    const stale = 'ignored staleTimeout';
    expect(run(machine, timeout('propose', 2), timeout('prevote', 2), proposed(2, B))).toEqual([stale, stale]);
    expect(run(machine, precommits([0, 1], 2, A), precommits([2], 2, null))).toEqual(['timeout precommit 2']);
    expect(run(machine, timeout('precommit', 2))).toContain('round 3');
  });

  it('others that lost their logs: their precommits stand for prevotes that nobody can say again', () => {
    const machine = create();
    run(machine, start, timeout('propose', 0), prevotes([3], 0, null), prevotes([0], 0, null));
    expect(run(machine, precommits([0], 0, null))).toEqual([]);
    expect(run(machine, precommits([1], 0, null))).toEqual(['timeout prevote 0']);
    expect(run(machine, precommits([2], 0, null))).toEqual(['timeout precommit 0']);
    expect(run(machine, timeout('prevote', 0))).toEqual(['precommit 0 nil']);
  });

  it('a restart without a log: what the others decided in that round is decided', () => {
    const none = { lockedRound: noRound, lockedValue: null, validRound: noRound, validValue: null };
    const machine = create({ resume: { lock: none, precommit: null } });
    run(machine, start, proposed(0, A));
    expect(run(machine, precommits([0, 1, 2], 0, A))).toEqual(['decide 0 A with 3']);
  });
});

describe('valid values', () => {
  it('a prevote that comes after the precommit completes the polka: the value becomes valid, not locked', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([0, 3], 0, A), prevotes([1], 0, null), timeout('prevote', 0));
    expect(run(machine, prevotes([2], 0, A))).toEqual([]);
    expect(locks(machine)).toBe('locked -1 nil, valid 0 A');
  });

  it('a proposal that comes after its polka and the precommit: the value becomes valid, not locked', () => {
    const machine = create();
    run(machine, start, timeout('propose', 0), prevotes([0, 1, 2], 0, A), timeout('prevote', 0));
    run(machine, proposed(0, A));
    expect(locks(machine)).toBe('locked -1 nil, valid 0 A');
  });

  it('a proposer with a valid value proposes it again, with its polka for those who lack it', () => {
    const machine = create({ self: addresses[1]! });
    run(machine, start, proposed(0, A), prevotes([0, 1, 2], 0, A), precommits([0, 2, 3], 0, null));
    expect(run(machine, timeout('precommit', 0)).slice(0, 5)).toEqual([
      'round 1',
      'propose 1 A pol 0',
      'relay proposal 0 A',
      'relay polka 0 of 3',
      'timeout propose 1',
    ]);
  });
});
