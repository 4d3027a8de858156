import { describe, expect, it } from '@jest/globals';
import type { VoteType } from '@prime/codec';
import { type Height, noRound, parseAddress, type Round } from '@prime/primitives';
import fc from 'fast-check';
import type { Input, Timeout, Validity } from './index.ts';
import {
  A,
  B,
  C,
  addresses,
  create,
  height,
  lockedInRound1,
  locks,
  precommits,
  prevotes,
  proposal,
  proposed,
  run,
  signature,
  start,
  timeout,
  vote,
} from './testing/machineScript.ts';

describe('leaving a round', () => {
  it('more than a third in a later round: skip to it; one validator alone moves nobody', () => {
    const machine = create();
    expect(run(machine, start, prevotes([0], 2, null), precommits([0], 2, null))).toEqual([
      'round 0',
      'timeout propose 0',
    ]);
    expect(run(machine, precommits([1], 2, null)).slice(0, 2)).toEqual(['round 2', 'timeout propose 2']);
  });

  it('a polka for nil in a later round takes along, and is answered there', () => {
    const machine = create();
    run(machine, start, prevotes([0, 1, 2], 1, null));
    expect(machine.state).toMatchObject({ round: 1, step: 'propose' });
    expect(run(machine, timeout('propose', 1))).toEqual(['prevote 1 nil', 'precommit 1 nil']);
  });

  it('a validator that is many rounds behind catches up: the highest round of each is kept', () => {
    const machine = create();
    run(machine, start, prevotes([0, 1], 0, null), prevotes([0], 40, null), prevotes([0], 41, null));
    expect(run(machine, prevotes([0], 40, null))).toEqual(['ignored roundTooFar']);
    expect(run(machine, prevotes([1], 41, null)).at(0)).toBe('round 41');
  });

  it('timeouts of former rounds and steps do nothing', () => {
    const machine = lockedInRound1();
    expect(
      run(machine, timeout('propose', 0), timeout('prevote', 0), timeout('precommit', 0), timeout('prevote', 1)),
    ).toEqual(Array.from({ length: 4 }, () => 'ignored staleTimeout'));
  });

  it('timeouts grow with the round up to the cap', () => {
    const machine = create();
    const delays = [start, ...precommits([0, 1], 3, null), ...precommits([0, 1], 900, null)].flatMap((input) =>
      machine
        .step(input)
        .flatMap((effect) =>
          effect.kind === 'scheduleTimeout' && effect.timeout.step === 'propose' ? [effect.afterMs] : [],
        ),
    );
    expect(delays).toEqual([400, 1_000, 60_000]);
  });
});

describe('deciding', () => {
  it('precommits of an earlier round decide in a later one', () => {
    const machine = lockedInRound1();
    const late = create();
    run(late, start, proposed(0, A), precommits([0], 0, null), precommits([1, 2], 0, A), timeout('precommit', 0));
    expect(late.state.round).toBe(1);
    expect(run(late, precommits([3], 0, A))).toEqual(['decide 0 A with 3']);
    expect(machine.state.decision).toBeNull();
  });

  it('precommits of a later round decide in an earlier one', () => {
    const machine = create();
    expect(run(machine, start, proposed(1, A)).length).toBe(2);
    expect(run(machine, precommits([0, 1, 2], 1, A)).at(-1)).toBe('decide 1 A with 3');
  });

  it('committed without the block: fetched once, decided when it comes as a proposal', () => {
    const machine = create();
    expect(run(machine, start, precommits([0, 1, 2], 0, A)).slice(2)).toEqual([
      'timeout precommit 0',
      'fetch precommit 0 A',
    ]);
    expect(run(machine, proposed(0, A, -1, 'unknown'))).toEqual([]);
    expect(run(machine, proposed(0, A))).toEqual(['decide 0 A with 3']);
  });

  it('a certificate and a block from block sync decide, also before the first round', () => {
    const machine = create();
    const certificate = {
      height,
      round: 7 as Round,
      blockHash: A,
      signatures: [0, 1, 2].map((index) => ({ validator: addresses[index]!, signature })),
    };
    expect(run(machine, { kind: 'commitCertificate', certificate })).toEqual(['fetch precommit 7 A']);
    expect(run(machine, { kind: 'value', blockHash: A, validity: 'valid' })).toEqual(['decide 7 A with 3']);
    expect(run(machine, { kind: 'commitCertificate', certificate: { ...certificate, blockHash: B } })).toEqual([
      'ignored conflictingCertificate',
    ]);
  });

  it('after the decision only further precommits for it are taken, into the certificate', () => {
    const machine = create();
    run(machine, start, proposed(0, A), precommits([0, 1, 2], 0, A));
    expect(run(machine, precommits([3], 0, A))).toEqual([]);
    expect(machine.commitCertificate()?.signatures.map(({ validator }) => validator)).toEqual(addresses);
    expect(run(machine, prevotes([3], 0, A), proposed(1, B), timeout('precommit', 0), start)).toEqual(
      Array.from({ length: 4 }, () => 'ignored decided'),
    );
    expect(machine.dropped).toEqual({ decided: 4 });
  });

  it('a quorum for a block that is invalid here is reported, never decided', () => {
    const machine = create();
    run(machine, start, proposed(0, A, -1, 'invalid'));
    expect(run(machine, precommits([0, 1, 2], 0, A))).toContain('invalid decision 0 A');
    expect(machine.state.decision).toBeNull();
  });
});

describe('misbehaviour', () => {
  it('two votes of one validator: the first counts, evidence comes once', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([0, 3], 0, A), prevotes([1], 0, B));
    expect(run(machine, prevotes([1], 0, A))).toEqual(['evidence duplicateVote', 'ignored equivocation']);
    expect(run(machine, prevotes([1], 0, null))).toEqual(['ignored equivocation']);
    expect(locks(machine)).toBe('locked -1 nil, valid -1 nil');
  });

  it('a relayed polka counts as a whole, also with the other vote of an equivocator', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([1], 0, B));
    const certified = [0, 1, 2].map((index) => vote('prevote', index, 0, A));
    expect(run(machine, { kind: 'voteCertificate', votes: certified })).toEqual([
      'evidence duplicateVote',
      'precommit 0 A',
    ]);
  });

  it('the rest of a relayed polka counts with what is here already', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([0], 0, A), prevotes([1, 2], 0, B));
    const rest = [1, 2].map((index) => vote('prevote', index, 0, A));
    expect(run(machine, { kind: 'voteCertificate', votes: rest }).at(-1)).toBe('precommit 0 A');
  });

  it('relayed votes that are not a quorum count one by one', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([1], 0, B));
    const relayed = [vote('prevote', 0, 0, A), vote('prevote', 1, 0, A), vote('precommit', 2, 0, null)];
    expect(run(machine, { kind: 'voteCertificate', votes: relayed })).toEqual([
      'evidence duplicateVote',
      'ignored equivocation',
      'timeout prevote 0',
    ]);
    expect(machine.votesFor(0 as Round)).toHaveLength(3);
  });

  it('a repeated voter does not make a quorum out of a certificate', () => {
    const machine = create();
    run(machine, start, proposed(0, A));
    const twice = [0, 1, 1].map((index) => vote('prevote', index, 0, A));
    expect(run(machine, { kind: 'voteCertificate', votes: twice })).toEqual(['ignored duplicate']);
  });

  it('two proposals of one proposer: the first is answered, evidence comes once, a third is not kept', () => {
    const machine = create();
    expect(run(machine, start, proposed(0, A)).at(-1)).toBe('prevote 0 A');
    expect(run(machine, proposed(0, B))).toEqual(['evidence duplicateProposal']);
    expect(run(machine, proposed(0, C))).toEqual(['ignored equivocation']);
    expect(run(machine, prevotes([0, 1, 2], 0, C))).toEqual(['timeout prevote 0', 'fetch prevote 0 C']);
    expect(run(machine, proposed(0, C))).toEqual(['precommit 0 C']);
  });

  it('what does not belong here is ignored with its reason and changes nothing', () => {
    const machine = create();
    run(machine, start);
    const before = machine.state;
    const other = (height + 1) as Height;
    const stranger = parseAddress(`0x${'f'.repeat(40)}`);
    const inputs: Input[] = [
      start,
      { kind: 'vote', vote: { ...vote('prevote', 0, 0, A), height: other } },
      { kind: 'vote', vote: { ...vote('prevote', 0, 0, A), validator: stranger } },
      { kind: 'vote', vote: vote('prevote', 0, -1, A) },
      { kind: 'proposal', proposal: { ...proposal(0, A), height: other }, validity: 'valid' },
      { kind: 'proposal', proposal: { ...proposal(0, A), proposer: addresses[1]! }, validity: 'valid' },
      { kind: 'proposal', proposal: { ...proposal(0, A), polRound: 0 as Round }, validity: 'valid' },
      { kind: 'proposal', proposal: proposal(9, A), validity: 'valid' },
      { kind: 'ownValue', round: 0 as Round, blockHash: A },
      { kind: 'timeout', timeout: { height: other, round: 0 as Round, step: 'propose' } },
    ];
    expect(inputs.flatMap((input) => run(machine, input))).toEqual(
      [
        'alreadyStarted',
        'otherHeight',
        'unknownValidator',
        'malformedRound',
        'otherHeight',
        'notProposer',
        'malformedRound',
        'roundTooFar',
        'staleValue',
        'otherHeight',
      ].map((reason) => `ignored ${reason}`),
    );
    expect(machine.state).toEqual(before);
  });
});

describe('passing on what peers may lack', () => {
  it('a round that failed after a polka: the polka and its proposal, and the precommits that ended the round', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([0, 1, 3], 0, A), precommits([0, 1, 2], 0, null));
    expect(run(machine, timeout('precommit', 0)).slice(-3)).toEqual([
      'relay proposal 0 A',
      'relay polka 0 of 3',
      'relay round 0 of 3',
    ]);
  });

  it('a round that lasts: own votes first, from the second time on all votes of the round', () => {
    const machine = create();
    run(machine, start, proposed(0, A), prevotes([0, 3], 0, A));
    expect(run(machine, timeout('rebroadcast', 0))).toEqual(['relay proposal 0 A', 'rebroadcast 1']);
    expect(run(machine, timeout('rebroadcast', 0))).toEqual(['relay proposal 0 A', 'rebroadcast 2']);
  });
});

describe('any inputs in any order', () => {
  const round = fc.integer({ min: 0, max: 4 });
  const value = fc.constantFrom(A, B, C);
  const input: fc.Arbitrary<Input> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom<VoteType>('prevote', 'precommit'), fc.nat(3), round, fc.option(value))
        .map(([type, validator, at, hash]): Input => ({ kind: 'vote', vote: vote(type, validator, at, hash) })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          round,
          value,
          fc.integer({ min: -1, max: 3 }),
          fc.constantFrom<Validity>('valid', 'valid', 'untimely', 'invalid', 'unknown'),
        )
        .map(([at, hash, pol, validity]) => proposed(at, hash, pol, validity)),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom<Timeout['step']>('propose', 'prevote', 'precommit', 'rebroadcast'), round)
        .map(([step, at]) => timeout(step, at)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(round, value)
        .map(([at, hash]): Input => ({ kind: 'ownValue', round: at as Round, blockHash: hash })),
    },
  );

  it('never throw, never sign twice for one place, never go back, and always give the same effects', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 120 }), fc.nat(3), (inputs, self) => {
        const machine = create({ self: addresses[self]! });
        const twin = create({ self: addresses[self]! });
        const signed = new Set<string>();
        let lockedRound: number = noRound;
        let position = -1;
        for (const next of [start, ...inputs]) {
          const effects = machine.step(next);
          expect(twin.step(next)).toEqual(effects);
          for (const effect of effects) {
            if (effect.kind !== 'signVote' && effect.kind !== 'signProposal') continue;
            const step = effect.kind === 'signProposal' ? 1 : effect.type === 'prevote' ? 2 : 3;
            const place = effect.round * 4 + step;
            expect(signed.has(`${place}`)).toBe(false);
            expect(place).toBeGreaterThan(position);
            signed.add(`${place}`);
            position = place;
          }
          expect(machine.state.lockedRound).toBeGreaterThanOrEqual(lockedRound);
          expect(machine.state.validRound).toBeGreaterThanOrEqual(machine.state.lockedRound);
          lockedRound = machine.state.lockedRound;
        }
      }),
      { numRuns: 300 },
    );
  });
});
