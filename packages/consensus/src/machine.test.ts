import { describe, expect, it } from '@jest/globals';
import type { Proposal, Vote, VoteType } from '@prime/codec';
import { type Address, type Hash, type Height, noRound, parseAddress, parseHash, type Round } from '@prime/primitives';
import fc from 'fast-check';
import {
  type ConsensusMachine,
  type ConsensusOptions,
  createConsensus,
  createValidatorSet,
  type Effect,
  type Input,
  lanTimeouts,
  type Timeout,
  type Validity,
} from './index.ts';

const height = 5 as Height;
const addresses = [1, 2, 3, 4].map((index): Address => parseAddress(`0x${index.toString(16).padStart(40, '0')}`));
/** Equal power: the proposer of round r is number r mod 4. */
const validatorSet = createValidatorSet(
  addresses.map((address, index) => ({
    address,
    signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
    publicKey: new Uint8Array(33),
    stake: 1n,
    power: 1n,
    moniker: `v${index}`,
    proposerPriority: 0n,
  })),
);
const [A, B, C] = ['a', 'b', 'c'].map((digit): Hash => parseHash(`0x${digit.repeat(64)}`)) as [Hash, Hash, Hash];
const names = new Map<Hash | null, string>([
  [A, 'A'],
  [B, 'B'],
  [C, 'C'],
  [null, 'nil'],
]);
const signature = new Uint8Array(65);

/** Own index is 3 unless told: not the proposer of the first three rounds. */
const create = (options: Partial<ConsensusOptions> = {}): ConsensusMachine =>
  createConsensus({ validatorSet, height, self: addresses[3]!, timeouts: lanTimeouts, ...options });

const vote = (type: VoteType, validator: number, round: number, blockHash: Hash | null): Vote => ({
  type,
  height,
  round: round as Round,
  blockHash,
  validator: addresses[validator]!,
  signature,
});
const proposal = (round: number, blockHash: Hash, polRound = -1): Proposal => ({
  height,
  round: round as Round,
  polRound: polRound as Round,
  blockHash,
  proposer: addresses[round % 4]!,
  signature,
});
const timeout = (step: Timeout['step'], round: number): Input => ({
  kind: 'timeout',
  timeout: { height, round: round as Round, step },
});
const start: Input = { kind: 'startRound', round: 0 as Round };
const proposed = (round: number, blockHash: Hash, polRound = -1, validity: Validity = 'valid'): Input => ({
  kind: 'proposal',
  proposal: proposal(round, blockHash, polRound),
  validity,
});
const votes = (type: VoteType, validators: readonly number[], round: number, value: Hash | null): Input[] =>
  validators.map((validator) => ({ kind: 'vote', vote: vote(type, validator, round, value) }));
const prevotes = (validators: readonly number[], round: number, value: Hash | null): Input[] =>
  votes('prevote', validators, round, value);
const precommits = (validators: readonly number[], round: number, value: Hash | null): Input[] =>
  votes('precommit', validators, round, value);

/** Effects in short: `prevote 0 A`, `timeout propose 0`, `round 1`, ... Rebroadcast timers are left out. */
function shown(effect: Effect): string[] {
  switch (effect.kind) {
    case 'enterRound':
      return [`round ${effect.round}`];
    case 'scheduleTimeout':
      return effect.timeout.step === 'rebroadcast' ? [] : [`timeout ${effect.timeout.step} ${effect.timeout.round}`];
    case 'getValue':
      return [`getValue ${effect.round}`];
    case 'signProposal':
      return [`propose ${effect.round} ${names.get(effect.blockHash)} pol ${effect.polRound}`];
    case 'signVote':
      return [`${effect.type} ${effect.round} ${names.get(effect.blockHash)}`];
    case 'decide':
      return [`decide ${effect.round} ${names.get(effect.blockHash)} with ${effect.certificate.signatures.length}`];
    case 'fetchProposal':
      return [`fetch ${effect.type} ${effect.round} ${names.get(effect.blockHash)}`];
    case 'relayCertificate':
      return [`relay ${effect.certificate.kind} ${effect.certificate.round} of ${effect.certificate.votes.length}`];
    case 'relayProposal':
      return [`relay proposal ${effect.proposal.round} ${names.get(effect.proposal.blockHash)}`];
    case 'rebroadcastVotes':
      return [`rebroadcast ${effect.votes.length}`];
    case 'evidence':
      return [`evidence ${effect.evidence.kind}`];
    case 'invalidDecision':
      return [`invalid decision ${effect.round} ${names.get(effect.blockHash)}`];
    case 'ignored':
      return [`ignored ${effect.reason}`];
  }
}

const run = (machine: ConsensusMachine, ...inputs: (Input | Input[])[]): string[] =>
  inputs.flat().flatMap((input) => machine.step(input).flatMap(shown));

const locks = (machine: ConsensusMachine): string => {
  const { lockedRound, lockedValue, validRound, validValue } = machine.state;
  return `locked ${lockedRound} ${names.get(lockedValue)}, valid ${validRound} ${names.get(validValue)}`;
};

/** Locked on A since round 0, now in round 1. */
function lockedInRound1(): ConsensusMachine {
  const machine = create();
  run(
    machine,
    start,
    proposed(0, A),
    prevotes([0, 1, 3], 0, A),
    precommits([0, 1, 2], 0, null),
    timeout('precommit', 0),
  );
  expect([machine.state.round, locks(machine)]).toEqual([1, 'locked 0 A, valid 0 A']);
  return machine;
}

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
    const six = createValidatorSet(
      Array.from({ length: 6 }, (_, index) => ({
        ...validatorSet.validators[0]!,
        address: parseAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`),
        signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
      })),
    );
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
    const machine = create({ resume: lock });
    expect(run(machine, { kind: 'startRound', round: 1 as Round }, proposed(1, B)).at(-1)).toBe('prevote 1 nil');
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
